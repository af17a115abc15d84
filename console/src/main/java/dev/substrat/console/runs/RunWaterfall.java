package dev.substrat.console.runs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What happened when in a run: one bar for each step, and below it one for each of its calls.
/// `next` is where the part of the record begins that is not shown here, if there is one; `isLater`
/// if something comes before what is shown.
public record RunWaterfall(
    Instant from, Instant to, List<Bar> bars, @Nullable String next, boolean isLater) {
  /// Shorter bars could not be seen; in percent.
  private static final double SHORTEST = 0.5;

  /// At most so many.
  private static final int MARKS = 5;

  private static final long DAY = Duration.ofDays(1).toMillis();

  /// Times that people count in, in milliseconds.
  private static final List<Long> ROUND =
      Stream.of(
              LongStream.of(1, 2, 5, 10, 20, 50, 100, 200, 500),
              LongStream.of(1, 2, 5, 10, 20, 30).map(seconds -> seconds * 1_000),
              LongStream.of(1, 2, 5, 10, 20, 30).map(minutes -> minutes * 60_000),
              LongStream.of(1, 2, 6, 12).map(hours -> hours * 3_600_000))
          .flatMap(LongStream::boxed)
          .toList();

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
      List<TitledText> passages) {}

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
    Duration step = step();
    return Stream.iterate(Duration.ZERO, at -> at.compareTo(length()) < 0, at -> at.plus(step))
        .map(at -> new Mark(percent(at), label(at, step)))
        .toList();
  }

  /// The least round time of which there are few.
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
