package dev.substrat.cli.space;

import dev.substrat.cli.wire.Daemon;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Which part of what was said somebody wants to see, and whether that counts as reading it.
final class HistoryOptions {
  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many messages, 200 at most (default: 20, the newest).")
  private int limit = 20;

  @Option(names = "--before", paramLabel = "SEQ", description = "Those before this number.")
  private @Nullable Long before;

  @Option(names = "--after", paramLabel = "SEQ", description = "The first after this number.")
  private @Nullable Long after;

  @Option(names = "--peek", description = "Leave everything unread that is.")
  private boolean peek;

  boolean isPeek() {
    return peek;
  }

  String query(String path) {
    return Daemon.query(
        path,
        "limit",
        String.valueOf(limit),
        "beforeSeq",
        before == null ? null : before.toString(),
        "afterSeq",
        after == null ? null : after.toString());
  }
}
