package dev.substrat.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.shell.Clock;
import dev.substrat.cli.shell.Shell;
import dev.substrat.cli.shell.Table;
import dev.substrat.cli.wire.Daemon;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// What agents wrote to the operator.
@Command(
    description = "Show what agents wrote to you.",
    footer = {"  ./substrat inbox", "  ./substrat inbox --limit 100 --json", ""})
final class InboxCommand implements Runnable {
  private final Shell shell;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many messages (default: 20).")
  private int limit = 20;

  InboxCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    JsonNode inbox =
        shell.daemon().read(Daemon.query("/api/inbox", "limit", String.valueOf(limit)));
    if (shell.wantsJson()) {
      shell.screen().json(inbox);
      return;
    }
    if (inbox.path("messages").isEmpty()) {
      shell.screen().line("nothing in your inbox; write to an agent: ./substrat send AGENT TEXT");
      return;
    }
    var table = Table.of("AT", "FROM", "TEXT");
    for (JsonNode message : inbox.path("messages")) {
      table.row(
          Clock.time(message.path("at")),
          message.path("from").asText(),
          message.path("text").asText());
    }
    table.print(shell.screen());
  }
}
