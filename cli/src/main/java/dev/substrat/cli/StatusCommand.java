package dev.substrat.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.substrat.cli.terminal.KeyValueTable;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.RootCommand;
import picocli.CommandLine.Command;

/// Prints the address, version and load of the running daemon.
@Command(
    description = "Show the state, the address and the load of the daemon.",
    footer = {"  ./substrat status", "  ./substrat status --json", ""})
final class StatusCommand implements Runnable {
  private final RootCommand shell;

  StatusCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    JsonNode status = shell.daemon().read("/api/status");
    if (shell.printsJson(status)) {
      return;
    }
    JsonNode slots = status.path("slots");
    new KeyValueTable()
        .with(
            "daemon",
            "running, version %s, process %s"
                .formatted(status.path("version").asText(), status.path("pid").asText()))
        .with("url", status.path("url"))
        .with("uptime", RelativeTime.between(status.path("startedAt"), NullNode.getInstance()))
        .with("database", status.path("database"))
        .with("agents", status.path("agents"))
        .with(
            "slots",
            "%s of %s busy".formatted(slots.path("busy").asText(), slots.path("total").asText()))
        .with("last event", status.path("lastEvent"))
        .print(shell.terminal());
  }
}
