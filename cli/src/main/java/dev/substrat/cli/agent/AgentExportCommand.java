package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.protocol.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Exports the configuration or the skills of an agent.
@Command(
    description = {
      "Export an agent's configuration (YAML, JSON) or its skills (SKILL.md folders).",
      "",
      "Values that look like secrets are omitted and listed. The handle, the parent and the paths"
          + " of its",
      "workspace are not exported. To export a whole team: ./substrat export."
    },
    footer = {
      "  ./substrat agent export ada -o ada.yaml",
      "  ./substrat agent export ada --format json",
      "  ./substrat agent export ada --format skills -o skills",
      ""
    })
final class AgentExportCommand implements Runnable {
  private final RootCommand shell;

  /// Output format.
  enum ExportFormat {
    JSON,
    YAML,
    SKILLS
  }

  @Parameters(paramLabel = "AGENT", description = "Agent: handle or id.")
  private String agent = "";

  @Option(
      names = "--format",
      paramLabel = "F",
      description = "Output format: yaml, json or skills (default: yaml).")
  private @Nullable String format;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "PATH",
      description = "Output file, or folder for skills (default: stdout).")
  private @Nullable Path output;

  AgentExportCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    ExportFormat wanted = format();
    if (wanted == ExportFormat.SKILLS && output == null) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "--format skills needs an output folder", "add -o FOLDER");
    }
    JsonNode found = shell.daemon().read(DaemonClient.path("/api/agents/", agent) + "/export");
    if (wanted == ExportFormat.SKILLS && output != null) {
      skills(output, found.path("config").path("skills"));
    } else {
      config(wanted, (ObjectNode) found.path("config"));
      noteOmitted(found.path("omitted"));
    }
  }

  private ExportFormat format() {
    String typed = format;
    if (typed == null) {
      boolean isJson = shell.wantsJson() || (output != null && output.toString().endsWith(".json"));
      return isJson ? ExportFormat.JSON : ExportFormat.YAML;
    }
    try {
      return ExportFormat.valueOf(typed.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "unknown format " + typed, "use yaml, json or skills", e);
    }
  }

  private void config(ExportFormat wanted, ObjectNode config) {
    String text =
        wanted == ExportFormat.JSON ? JsonTree.pretty(config) + "\n" : ConfigYaml.text(config);
    Terminal screen = shell.terminal();
    if (output == null) {
      screen.out().print(screen.outIsTerminal() ? TerminalText.block(text) : text);
      screen.out().flush();
      return;
    }
    try {
      Files.writeString(output, text);
    } catch (IOException e) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "cannot write %s: %s".formatted(output, e.getMessage()),
          "check the path and its permissions",
          e);
    }
    screen.note("written to " + output);
  }

  private void noteOmitted(JsonNode omitted) {
    if (!omitted.isEmpty()) {
      String places = JsonTree.words(omitted);
      shell.note(
          "omitted because it looks like a secret: %s; to export it, use a reference ${env.NAME}"
              .formatted(TerminalText.line(places)));
    }
  }

  private void skills(Path folder, JsonNode skills) {
    if (skills.isEmpty()) {
      throw ErrorCode.NOT_FOUND.fault(agent + " has no skills", "use --format yaml or json");
    }
    ArrayNode written = JsonTree.object().putArray("written");
    SkillFolders.write(folder, skills).forEach(file -> written.add(file.toString()));
    if (!shell.printsJson(JsonTree.object().set("written", written))) {
      written.forEach(file -> shell.line("written " + TerminalText.line(file.asText())));
    }
  }
}
