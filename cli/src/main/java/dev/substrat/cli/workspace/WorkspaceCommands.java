package dev.substrat.cli.workspace;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.cli.terminal.TextTable;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Commands for the workspaces of agents.
@Command(
    description = "Inspect the workspaces of agents: list, files, diff.",
    footer = {
      "  ./substrat workspace list",
      "  ./substrat workspace files ada",
      "  ./substrat workspace diff ada",
      ""
    })
public final class WorkspaceCommands {
  private static final String AGENT = "Agent: handle or id.";

  private final RootCommand shell;

  public WorkspaceCommands(RootCommand shell) {
    this.shell = shell;
  }

  @Command(
      name = "list",
      description = "List the workspaces of agents with sandbox and network access.",
      footer = {"  ./substrat workspace list", "  ./substrat workspace list --json", ""})
  void list() {
    JsonNode all = shell.daemon().read("/api/workspaces");
    if (shell.printsJson(all)) {
      return;
    }
    JsonNode sandbox = all.path("sandbox");
    if (!sandbox.path("works").asBoolean()) {
      shell.note(
          "no sandbox on this machine: " + TerminalText.line(sandbox.path("detail").asText()));
    }
    if (all.path("workspaces").isEmpty()) {
      shell.line("no agents");
      return;
    }
    var table = TextTable.of("AGENT", "MODE", "SANDBOX", "NETWORK", "BRANCH", "DIRECTORY");
    for (JsonNode one : all.path("workspaces")) {
      table.row(
          one.path("agent").asText(),
          one.path("mode").asText(),
          one.path("sandbox").asText(),
          one.path("network").asBoolean() ? "yes" : "no",
          one.path("branch").asText(""),
          one.path("directory").asText());
    }
    table.print(shell.terminal());
    if (all.hasNonNull("next")) {
      shell.note("there are more workspaces; --json contains the cursor of the next page");
    }
  }

  @Command(
      name = "files",
      description = "List the files in an agent's workspace, or in a folder of it.",
      footer = {
        "  ./substrat workspace files ada",
        "  ./substrat workspace files ada services/api",
        ""
      })
  void files(
      @Parameters(paramLabel = "A", description = AGENT) String agent,
      @Parameters(
              paramLabel = "PATH",
              arity = "0..1",
              description = "Folder in the workspace (default: its root).")
          @Nullable String path) {
    String folder = path == null ? "" : path;
    JsonNode found =
        shell
            .daemon()
            .read(
                DaemonClient.path("/api/workspaces/", agent)
                    + "?path="
                    + URLEncoder.encode(folder, StandardCharsets.UTF_8));
    if (shell.printsJson(found)) {
      return;
    }
    for (JsonNode file : found.path("files")) {
      String mark = file.path("kind").asText().equals("folder") ? "/" : "";
      shell.line(TerminalText.line(file.path("path").asText()) + mark);
    }
    JsonNode size = found.path("size");
    shell.note(
        "%d files, %d bytes in total, in %s%s"
            .formatted(
                size.path("files").asLong(),
                size.path("bytes").asLong(),
                TerminalText.line(found.path("workspace").path("directory").asText()),
                found.path("truncated").asBoolean() ? "; not all are listed" : ""));
  }

  @Command(
      name = "diff",
      description = "Print an agent's changes on its branch as a patch.",
      footer = {
        "  ./substrat workspace diff ada",
        "  ./substrat workspace diff ada | git apply",
        ""
      })
  void diff(@Parameters(paramLabel = "A", description = AGENT) String agent) {
    JsonNode diff = shell.daemon().read(DaemonClient.path("/api/workspaces/", agent) + "/diff");
    if (shell.printsJson(diff)) {
      return;
    }
    shell.note("branch " + TerminalText.line(diff.path("branch").asText()));
    shell.note(TerminalText.block(diff.path("stat").asText()));
    shell.line(TerminalText.block(diff.path("patch").asText().stripTrailing()));
    if (diff.path("truncated").asBoolean()) {
      shell.note("the patch is truncated; the complete changes are on the branch");
    }
  }
}
