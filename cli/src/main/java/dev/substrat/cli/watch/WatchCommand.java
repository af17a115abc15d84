package dev.substrat.cli.watch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.EventFeed;
import dev.substrat.cli.client.EventFeed.FeedItem;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RootCommand;
import java.time.Duration;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Prints events as they happen, until Ctrl-C. Reconnects after a restart of the daemon.
@Command(
    description = "Follow the events of all agents and spaces.",
    footer = {
      "  ./substrat watch",
      "  ./substrat watch --agent mira",
      "  ./substrat watch --space general",
      "  ./substrat watch --after 0 --json | jq .kind",
      ""
    })
public final class WatchCommand implements Runnable {
  /// Longer than several heartbeats, so a silent connection is dead.
  private static final Duration MAX_SILENCE = Duration.ofSeconds(60);

  private final RootCommand shell;
  private final EventPrinter printer;

  @Option(names = "--agent", paramLabel = "A", description = "Only events of this agent.")
  private @Nullable String agent;

  @Option(names = "--space", paramLabel = "S", description = "Only events in this space.")
  private @Nullable String space;

  @Option(
      names = "--after",
      paramLabel = "SEQ",
      description =
          "Start after this event number; 0 prints all events (default: only new events).")
  private @Nullable Long after;

  public WatchCommand(RootCommand shell) {
    this.shell = shell;
    var plain = new EventPrinter(ZoneId.systemDefault());
    this.printer = shell.terminal().hasColours() ? plain.inColour() : plain;
  }

  @Override
  public void run() {
    var subject = new EventFeed.EventFilter(agent, space);
    try (var feed =
        EventFeed.open(shell::daemon, subject, after == null ? null : after.toString())) {
      while (!shell.terminal().isClosed()) {
        print(feed.next(MAX_SILENCE));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void print(FeedItem item) {
    switch (item) {
      case FeedItem.EventReceived(var _, var event) -> shell.line(line(event));
      case FeedItem.Disconnected _ -> shell.note("connection to the daemon lost; reconnecting");
      case FeedItem.Reconnected _ -> shell.note("reconnected to the daemon; resuming");
      case FeedItem.NoEvent _ -> {}
    }
  }

  private String line(JsonNode event) {
    return shell.wantsJson() ? JsonTree.text(event) : printer.line(event);
  }
}
