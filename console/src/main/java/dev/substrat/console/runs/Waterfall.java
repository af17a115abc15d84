package dev.substrat.console.runs;

import dev.substrat.console.Figures;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What happened when in a run: one bar for each step, and below it one for each of its calls.
/// `next` is where the part of the record begins that is not shown here, if there is one; `isLater`
/// if something comes before what is shown.
public record Waterfall(
    Instant from, Instant to, List<Bar> bars, @Nullable String next, boolean isLater) {
  /// Shorter bars could not be seen; in percent.
  private static final double SHORTEST = 0.5;

  private static final int MARKS = 4;

  /// One of them. `start` and `length` are percent of the whole; `step` is the step it belongs to.
  public record Bar(
      String id,
      int step,
      boolean isCall,
      String name,
      String note,
      String tone,
      double start,
      double length,
      String took,
      List<Passage> passages) {}

  /// A place on the scale, in percent, and what it is called.
  public record Mark(double at, String label) {}

  public Duration length() {
    Duration length = Duration.between(from, to);
    return length.isPositive() ? length : Duration.ofMillis(1);
  }

  /// How far into the whole a moment is, in percent.
  public double place(Instant at) {
    return Math.clamp(percent(Duration.between(from, at)), 0, 100 - SHORTEST);
  }

  /// How much of the whole the time between two moments is, in percent; never too little to see,
  /// and never beyond the end.
  public double share(Instant begin, Instant end) {
    double share = Math.max(SHORTEST, percent(Duration.between(begin, end)));
    return rounded(Math.min(share, 100 - place(begin)));
  }

  private double percent(Duration time) {
    return rounded(100.0 * time.toMillis() / length().toMillis());
  }

  private static double rounded(double percent) {
    return Math.round(percent * 100) / 100.0;
  }

  public List<Mark> marks() {
    return IntStream.range(0, MARKS)
        .mapToObj(i ->
            new Mark(
                100.0 * i / MARKS,
                i == 0 ? "0" : Figures.time(length().multipliedBy(i).dividedBy(MARKS))))
        .toList();
  }
}
