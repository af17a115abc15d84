package dev.substrat.console.runs;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What came of thinking a turn once more. `divergence` is null if all was the same.
public record ReplayResult(
    boolean isEqual,
    boolean isComplete,
    int steps,
    int calls,
    String stopReason,
    @Nullable Divergence divergence) {

  /// Where it first was not.
  public record Divergence(int step, String recorded, String now, List<Place> places) {}

  /// One argument that differs.
  public record Place(String pointer, String recorded, String now) {}
}
