package dev.substrat.server.console.health;

import dev.substrat.console.NumberFormatter;
import dev.substrat.console.health.HealthPage.HourlyActivity;
import dev.substrat.console.health.MinuteChart;
import dev.substrat.server.health.ActivityMinutes.Total;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/// Turns, messages, calls and tokens of the last hour per minute, and how long turns took.
final class ActivityChart {
  private static final int MINUTES = 60;
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();

  /// Sample size for the percentiles.
  private static final int TURNS = 500;

  private final List<Total> totals;
  private final long first;

  private ActivityChart(List<Total> totals, Instant now) {
    this.totals = totals;
    this.first = start(now).toEpochMilli() / MINUTE;
  }

  /// The start of the first minute.
  static Instant start(Instant now) {
    return Instant.ofEpochMilli((now.toEpochMilli() / MINUTE - MINUTES + 1) * MINUTE);
  }

  static HourlyActivity of(Tx tx, List<Total> totals, Instant now) {
    var chart = new ActivityChart(totals, now);
    long[] failed = chart.perMinute(Total::failed);
    List<Long> took = durations(tx, start(now));
    return new HourlyActivity(
        List.of(
            MinuteChart.of("Turns", "turn", chart.perMinute(Total::turns), failed),
            chart.of("Messages", "message", Total::messages),
            chart.of("Tool calls", "call", Total::calls),
            chart.of("Tokens", "token", Total::tokens)),
        Arrays.stream(failed).sum(),
        took.isEmpty() ? "" : time(took, 0.5),
        took.isEmpty() ? "" : time(took, 0.95));
  }

  private MinuteChart of(String title, String unit, ToLongFunction<Total> value) {
    return MinuteChart.of(title, unit, perMinute(value), new long[MINUTES]);
  }

  private long[] perMinute(ToLongFunction<Total> value) {
    var counts = new long[MINUTES];
    for (Total total : totals) {
      long minute = total.minute() - first;
      if (minute >= 0 && minute < counts.length) {
        counts[(int) minute] += value.applyAsLong(total);
      }
    }
    return counts;
  }

  /// Durations of the newest turns, shortest first.
  private static List<Long> durations(Tx tx, Instant since) {
    var took =
        new ArrayList<>(
            tx.list(
                """
                select ended_at - started_at as took from run
                where id >= ? and started_at >= ? and ended_at is not null and turn_no > 0
                order by id desc limit ?
                """,
                row -> row.number("took"),
                firstId(since),
                since,
                TURNS));
    took.sort(null);
    return took;
  }

  private static String time(List<Long> sorted, double share) {
    int place = (int) Math.min(sorted.size() - 1L, Math.round(share * (sorted.size() - 1)));
    return NumberFormatter.time(Duration.ofMillis(sorted.get(place)));
  }

  /// Lower bound of ids created since then: ids start with their time.
  private static String firstId(Instant since) {
    String hex = "%012x".formatted(since.toEpochMilli());
    return hex.substring(0, 8) + "-" + hex.substring(8);
  }
}
