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
    @Nullable Divergence divergence) {

  /// First difference.
  public record Divergence(int step, String recorded, String now, List<Place> places) {}

  /// One argument that differs.
  public record Place(String pointer, String recorded, String now) {}
}
