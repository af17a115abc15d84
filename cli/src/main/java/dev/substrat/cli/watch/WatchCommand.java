package dev.substrat.cli.watch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.wire.EventFeed;
import dev.substrat.cli.wire.EventFeed.FeedItem;
import dev.substrat.cli.wire.JsonTree;
import java.time.Duration;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Tells what happens while it happens, until Ctrl-C. A restart of the daemon is bridged.
@Command(
    description = "Follow what everybody is doing, live.",
    footer = {
      "  ./substrat watch",
      "  ./substrat watch --agent mira",
      "  ./substrat watch --space general",
      "  ./substrat watch --after 0 --json | jq .kind",
      ""
    })
public final class WatchCommand implements Runnable {
  /// Longer than several heartbeats, so that only a dead connection is silent for so long.
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

  private final RootCommand shell;
  private final EventPrinter narrator;

  @Option(names = "--agent", paramLabel = "A", description = "Only what concerns this agent.")
  private @Nullable String agent;

  @Option(names = "--space", paramLabel = "S", description = "Only what happens in this space.")
  private @Nullable String space;

  @Option(
      names = "--after",
      paramLabel = "SEQ",
      description = "Start after this event; 0 tells everything (default: now).")
  private @Nullable Long after;

  public WatchCommand(RootCommand shell) {
    this.shell = shell;
    var plain = new EventPrinter(ZoneId.systemDefault());
    this.narrator = shell.screen().hasColours() ? plain.inColour() : plain;
  }

  @Override
  public void run() {
    var subject = new EventFeed.Subject(agent, space);
    try (var feed =
        EventFeed.open(shell::daemon, subject, after == null ? null : after.toString())) {
      while (!shell.screen().isClosed()) {
        tell(feed.next(LONGEST_SILENCE));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void tell(FeedItem moment) {
    switch (moment) {
      case FeedItem.EventReceived(var _, var event) -> shell.screen().line(line(event));
      case FeedItem.Disconnected _ ->
          shell.screen().note("the daemon went away; waiting for it to come back");
      case FeedItem.Reconnected _ ->
          shell.screen().note("the daemon is back; going on where we were");
      case FeedItem.Idle _ -> {}
    }
  }

  private String line(JsonNode event) {
    return shell.wantsJson() ? JsonTree.text(event) : narrator.line(event);
  }
}
