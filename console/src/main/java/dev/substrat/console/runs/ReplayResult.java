package dev.substrat.console.runs;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Result of a replay. `divergence` is null if it matches the record.
public record ReplayResult(
    boolean isEqual,
    boolean isComplete,
    int steps,
    int calls,
    String stopReason,
    @Nullable ReplayDivergence divergence) {

  /// First difference.
  public record ReplayDivergence(
      int step, String recorded, String now, List<ArgumentDifference> places) {}

  /// One argument that differs.
  public record ArgumentDifference(String pointer, String recorded, String now) {}
}
