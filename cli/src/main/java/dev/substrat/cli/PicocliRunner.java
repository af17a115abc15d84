package dev.substrat.cli;

import dev.substrat.cli.terminal.RootCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.UsageMessageSpec;

/// Runs commands with picocli: options, help, completion, suggestions for typing errors.
final class PicocliRunner {

  private PicocliRunner() {}

  static int run(RootCommand shell, FailureReporter failures, String[] typed) {
    String[] args = ArgumentAliases.rewrite(typed);
    CommandLine line = commandLine(shell, args);
    args = ArgumentAliases.removeHelpForUnknownCommand(line, args);
    line.setParameterExceptionHandler((e, _) -> failures.usageError(e));
    line.setExecutionExceptionHandler((e, _, _) -> failures.report(e));
    return line.execute(args);
  }

  static List<String> commands(RootCommand shell) {
    var line = new CommandLine(shell);
    CommandCatalog.registerAll(line, shell);
    return names("", line).toList();
  }

  /// Names of the subcommands, or the name of the command itself if it has none.
  private static Stream<String> names(String name, CommandLine line) {
    return line.getSubcommands().isEmpty()
        ? Stream.of(name)
        : line.getSubcommands().entrySet().stream()
            .flatMap(one -> names((name + " " + one.getKey()).strip(), one.getValue()));
  }

  private static CommandLine commandLine(RootCommand shell, String[] args) {
    var line = new CommandLine(shell);
    CommandCatalog.register(line, shell, args);
    var screen = shell.terminal();
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(screen.hasColours() ? Ansi.ON : Ansi.OFF));
    line.setOut(new PrintWriter(screen.out(), true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(screen.err(), true, StandardCharsets.UTF_8));
    HelpLayout.apply(line);
    return line;
  }

  /// Layout of help pages: examples first, because people copy them; then the rest.
  ///
  /// Commands declare their examples as picocli's footer, which this class moves to the top.
  private static final class HelpLayout {
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
            text.append(
                "  %-12s%s%n".formatted(name, description.length > 0 ? description[0] : ""));
          }
        }
      }
      return text.toString();
    }
  }
}
