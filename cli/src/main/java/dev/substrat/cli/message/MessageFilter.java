package dev.substrat.cli.message;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Filter options of `message list`.
final class MessageFilter {
  @Option(names = "--held", description = "Only messages held by the loop or rate guard.")
  private boolean held;

  @Option(
      names = "--dead",
      description = "Only dead and expired messages; with --held, both kinds.")
  private boolean dead;

  @Option(names = "--agent", paramLabel = "A", description = "Only messages from or to this agent.")
  private @Nullable String agent;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Number of messages (default: 20).")
  private int limit;

  @Option(
      names = "--before",
      paramLabel = "MESSAGE",
      description = "Only messages older than this one (full id).")
  private @Nullable String before;

  JsonNode read(DaemonClient daemon) {
    String target =
        DaemonClient.query(
            "/api/messages",
            "held",
            held ? "true" : null,
            "dead",
            dead ? "true" : null,
            "agent",
            agent);
    return daemon.readPages(target, "messages", "before", before, limit);
  }

  /// True if only held or dead messages are listed.
  boolean isForUndelivered() {
    return held || dead;
  }
}
