package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.shell.FactTable;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.shell.Warnings;
import dev.substrat.cli.wire.DaemonClient;
import java.nio.file.Path;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// An agent that is there gets another configuration.
@Command(
    description = {
      "Give an agent a whole new configuration, from its next turn on.",
      "",
      "What the file does not say becomes what it is for a new agent; name, handle and parent stay.",
      "Tells the keys that have changed."
    },
    footer = {
      "  ./substrat agent update mira --config mira.yaml",
      "  ./substrat agent update mira --config mira.yaml --dry-run",
      "  ./substrat agent export mira -o mira.yaml     the file to begin with; secrets are left out",
      ""
    })
final class UpdateCommand implements Runnable {
  private final RootCommand shell;

  @Parameters(paramLabel = "AGENT", description = "Handle or id.")
  private String agent = "";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      description = "Configuration, YAML or JSON.")
  private Path config = Path.of("");

  @Option(names = "--dry-run", description = "Tell what would change, and change nothing.")
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
    // Only a rehearsal tells which keys differ; what is done comes back as the agent it made.
    JsonNode rehearsed = shell.daemon().put(target + "?dryRun=true", wanted);
    JsonNode done = dryRun ? rehearsed : shell.daemon().put(target, wanted);
    if (shell.wantsJson()) {
      shell.screen().json(done);
      return;
    }
    String changed =
        rehearsed
            .path("changed")
            .valueStream()
            .map(JsonNode::asText)
            .collect(Collectors.joining(", "));
    new FactTable()
        .with(dryRun ? "would update" : "updated", done.path("handle"))
        .with("changed", changed.isEmpty() ? "nothing" : changed)
        .print(shell.screen());
    Warnings.of(done).forEach(warning -> Warnings.tell(shell.screen(), warning));
  }
}
