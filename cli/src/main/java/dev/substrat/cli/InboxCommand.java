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
    description = "Show what agents wrote to you, the newest at the end.",
    footer = {"  ./substrat inbox", "  ./substrat inbox --limit 100 --json", ""})
final class InboxCommand implements Runnable {
  /// As many as the daemon lists at once.
  private static final int MOST = 200;

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
    if (shell.wantsJson()) {
      shell.screen().json(newest(limit));
      return;
    }
    int wanted = Math.clamp(limit, 1, MOST);
    // One more than is shown tells whether there are others.
    JsonNode found = newest(wanted + 1).path("messages");
    if (found.isEmpty()) {
      shell.screen().line("nothing in your inbox; write to an agent: ./substrat send AGENT TEXT");
      return;
    }
    var table = Table.of("AT", "FROM", "TEXT");
    int left = Math.max(0, found.size() - wanted);
    found
        .valueStream()
        .skip(left)
        .forEach(message ->
            table.row(
                Clock.time(message.path("at")),
                message.path("from").asText(),
                message.path("text").asText()));
    table.print(shell.screen());
    if (left > 0) {
      shell
          .screen()
          .note("there are older ones; see them: " + shell.command("inbox --limit " + MOST));
    } else if (found.size() == MOST) {
      shell.screen().note("there may be older ones; the daemon lists no more than " + MOST);
    }
  }

  /// Without a place to start from the daemon gives the newest, oldest of them first.
  private JsonNode newest(int count) {
    return shell.daemon().read(Daemon.query("/api/inbox", "limit", String.valueOf(count)));
  }
}
