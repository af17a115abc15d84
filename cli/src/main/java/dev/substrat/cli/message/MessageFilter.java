package dev.substrat.cli.message;

import dev.substrat.cli.wire.DaemonClient;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options that choose which messages are listed.
final class MessageFilter {
  @Option(names = "--held", description = "Only messages held by a guard.")
  private boolean held;

  @Option(
      names = "--dead",
      description = "Only dead and expired messages; with --held, both kinds.")
  private boolean dead;

  @Option(names = "--agent", paramLabel = "A", description = "Only from and to this agent.")
  private @Nullable String agent;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many, at most 200 (default: 20).")
  private int limit;

  @Option(
      names = "--before",
      paramLabel = "MESSAGE",
      description = "Only older ones than this message, by its whole id.")
  private @Nullable String before;

  String target() {
    return DaemonClient.query(
        "/api/messages",
        "held",
        held ? "true" : null,
        "dead",
        dead ? "true" : null,
        "agent",
        agent,
        "limit",
        String.valueOf(limit),
        "before",
        before);
  }

  /// Whether only messages are wanted that do not go on.
  boolean isForTrouble() {
    return held || dead;
  }
}
