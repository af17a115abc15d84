package dev.substrat.console.runs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Timeline of a run: one bar per step, followed by one per call. `next` is the cursor of the next
/// part of the record, or null; `isLater` if this is not the first part.
public record RunWaterfall(
    Instant from, Instant to, List<WaterfallBar> bars, @Nullable String next, boolean isLater) {
  /// Minimum visible length of a bar, in percent.
  private static final double MIN_BAR_LENGTH = 0.5;

  /// Maximum number of scale marks.
  private static final int MARKS = 5;

  private static final long DAY = Duration.ofDays(1).toMillis();

  /// Round intervals of the scale, in milliseconds.
  private static final List<Long> ROUND =
      Stream.of(
              LongStream.of(1, 2, 5, 10, 20, 50, 100, 200, 500),
              LongStream.of(1, 2, 5, 10, 20, 30).map(seconds -> seconds * 1_000),
              LongStream.of(1, 2, 5, 10, 20, 30).map(minutes -> minutes * 60_000),
              LongStream.of(1, 2, 6, 12).map(hours -> hours * 3_600_000))
          .flatMap(LongStream::boxed)
          .toList();

  /// A bar. `start` and `length` are percentages of the total; `step` is its step.
  public record WaterfallBar(
      String id,
      int step,
      boolean isCall,
      String name,
      String note,
      String tone,
      double start,
      double length,
      String duration,
      List<TitledText> passages) {}

  /// A position on the scale, in percent, and its label.
  public record ScaleMark(double at, String label) {}

  public Duration length() {
    Duration length = Duration.between(from, to);
    return length.isPositive() ? length : Duration.ofMillis(1);
  }

  /// Position of a time, in percent.
  public double place(Instant at) {
    return Math.clamp(percent(Duration.between(from, at)), 0, 100 - MIN_BAR_LENGTH);
  }

  /// Length of a period in percent, at least the minimum and never beyond the end.
  public double share(Instant begin, Instant end) {
    double share = Math.max(MIN_BAR_LENGTH, percent(Duration.between(begin, end)));
    return rounded(Math.min(share, 100 - place(begin)));
  }

  private double percent(Duration time) {
    return rounded(100.0 * time.toMillis() / length().toMillis());
  }

  private static double rounded(double percent) {
    return Math.round(percent * 100) / 100.0;
  }

  public List<ScaleMark> marks() {
    Duration step = step();
    return Stream.iterate(Duration.ZERO, at -> at.compareTo(length()) < 0, at -> at.plus(step))
        .map(at -> new ScaleMark(percent(at), label(at, step)))
        .toList();
  }

  /// Smallest round interval that gives few marks.
  private Duration step() {
    long least = Math.ceilDiv(length().toMillis(), MARKS);
    return Duration.ofMillis(
        ROUND.stream()
            .filter(step -> step >= least)
            .findFirst()
            .orElseGet(() -> Math.ceilDiv(least, DAY) * DAY));
  }

  private static String label(Duration at, Duration step) {
    if (at.isZero()) {
      return "0";
    }
    if (step.toMillis() < 1_000) {
      return at.toMillis() + " ms";
    }
    if (step.toSeconds() < 60) {
      return at.toSeconds() + " s";
    }
    return step.toMinutes() < 60 ? at.toMinutes() + " min" : at.toHours() + " h";
  }
}
