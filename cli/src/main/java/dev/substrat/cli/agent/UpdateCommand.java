package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.KeyValueTable;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.WarningPrinter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Replaces the configuration of an existing agent.
@Command(
    description = {
      "Replace an agent's configuration. It applies from the agent's next turn.",
      "",
      "Keys missing in the file are reset to their defaults; name, handle and parent are kept.",
      "Prints the changed keys."
    },
    footer = {
      "  ./substrat agent update mira --config mira.yaml",
      "  ./substrat agent update mira --config mira.yaml --dry-run",
      "  ./substrat agent export mira -o mira.yaml     # current configuration, without secrets",
      ""
    })
final class UpdateCommand implements Runnable {
  private final RootCommand shell;

  @Parameters(paramLabel = "AGENT", description = "Agent: handle or id.")
  private String agent = "";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      description = "Configuration file, YAML or JSON.")
  private Path config = Path.of("");

  @Option(names = "--dry-run", description = "Show what would change, without changing it.")
  private boolean dryRun;

  UpdateCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    ObjectNode wanted = AgentOptions.read(config);
    String target = DaemonClient.path("/api/agents/", agent);
    if (!wanted.hasNonNull("name")) {
      wanted.put("name", shell.daemon().read(target).path("name").asText());
    }
    // Only a dry run returns the changed keys; the update returns the agent.
    JsonNode preview = shell.daemon().put(target + "?dryRun=true", wanted);
    JsonNode done = dryRun ? preview : shell.daemon().put(target, wanted);
    if (shell.printsJson(done)) {
      return;
    }
    String changed = JsonTree.words(preview.path("changed"));
    new KeyValueTable()
        .with(dryRun ? "would update" : "updated", done.path("handle"))
        .with("changed", changed.isEmpty() ? "nothing" : changed)
        .print(shell.terminal());
    WarningPrinter.of(done).forEach(warning -> WarningPrinter.print(shell.terminal(), warning));
  }
}
