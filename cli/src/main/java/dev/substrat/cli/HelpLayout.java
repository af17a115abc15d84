package dev.substrat.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.UsageMessageSpec;

/// Layout of help pages: examples first, because people copy them; then the rest.
///
/// Commands declare their examples as picocli's footer, which this class moves to the top.
final class HelpLayout {
  private static final List<String> SECTIONS =
      List.of(
          UsageMessageSpec.SECTION_KEY_FOOTER_HEADING,
          UsageMessageSpec.SECTION_KEY_FOOTER,
          UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING,
          UsageMessageSpec.SECTION_KEY_SYNOPSIS,
          UsageMessageSpec.SECTION_KEY_DESCRIPTION_HEADING,
          UsageMessageSpec.SECTION_KEY_DESCRIPTION,
          UsageMessageSpec.SECTION_KEY_PARAMETER_LIST_HEADING,
          UsageMessageSpec.SECTION_KEY_PARAMETER_LIST,
          UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING,
          UsageMessageSpec.SECTION_KEY_OPTION_LIST,
          UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING,
          UsageMessageSpec.SECTION_KEY_COMMAND_LIST);

  private static final String[] FIRST_STEPS = {
    "  ./substrat demo                          # scripted team; needs no API key",
    "  ./substrat up                            # start the daemon in this terminal",
    "  ./substrat agent create mira --instructions \"You lead.\"",
    "  ./substrat send mira \"Is the ship ready?\" --wait",
    "  ./substrat watch                         # follow all events",
    ""
  };

  private HelpLayout() {}

  static void apply(CommandLine root) {
    root.setHelpSectionKeys(SECTIONS);
    root.setUsageHelpWidth(100);
    root.getCommandSpec().usageMessage().footerHeading("EXAMPLES%n").footer(FIRST_STEPS);
    root.getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpLayout::commandsByGroup);
    lay(root);
    // The main page lists every command and has to fit on a screen.
    root.getCommandSpec().usageMessage().descriptionHeading("");
  }

  private static void lay(CommandLine line) {
    var usage = line.getCommandSpec().usageMessage();
    usage.footerHeading("EXAMPLES%n").synopsisHeading("").descriptionHeading("%n");
    usage.parameterListHeading("%n").optionListHeading("%n").commandListHeading("%n");
    line.getSubcommands().values().forEach(HelpLayout::lay);
  }

  private static String commandsByGroup(Help help) {
    Map<String, CommandLine> commands = help.commandSpec().subcommands();
    var text = new StringBuilder();
    for (String group : CommandCatalog.groups()) {
      text.append(help.ansi().string("@|bold " + group + "|@")).append(System.lineSeparator());
      for (String name : CommandCatalog.names(group)) {
        CommandLine command = commands.get(name);
        if (command != null) {
          String[] description = command.getCommandSpec().usageMessage().description();
          text.append("  %-12s%s%n".formatted(name, description.length > 0 ? description[0] : ""));
        }
      }
    }
    return text.toString();
  }
}
