package dev.substrat.server.console.health;

import dev.substrat.console.NumberText;
import dev.substrat.console.health.HealthPage.Activity;
import dev.substrat.console.health.MinuteChart;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Counts turns, messages, calls and tokens of the last hour per minute.
///
/// The cost depends only on the events of that hour: event numbers and run ids are ordered by time,
/// so older rows are not read.
final class ActivityChart {
  private static final int MINUTES = 60;
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();

  /// Sample size for the percentiles.
  private static final int TURNS = 2_000;

  private final Tx tx;
  private final long since;

  private ActivityChart(Tx tx, Instant now) {
    this.tx = tx;
    this.since = (now.toEpochMilli() / MINUTE - MINUTES + 1) * MINUTE;
  }

  static Activity of(Tx tx, Instant now) {
    var chart = new ActivityChart(tx, now);
    var failed = new long[MINUTES];
    MinuteChart turns = chart.turns(failed);
    long first = chart.firstEvent();
    List<Long> took = chart.durations();
    return new Activity(
        List.of(
            turns,
            chart.events("Messages", "message", "message_sent", first),
            chart.events("Tool calls", "call", "tool_called", first),
            chart.tokens()),
        Arrays.stream(failed).sum(),
        took.isEmpty() ? "" : time(took, 0.5),
        took.isEmpty() ? "" : time(took, 0.95));
  }

  private MinuteChart turns(long[] failed) {
    var all = new long[MINUTES];
    tx.list(
            """
            select (started_at - ?) / 60000 as minute, count(*) as n,
              sum(case when status = 'failed' then 1 else 0 end) as failed
            from run where id >= ? and started_at >= ? and turn_no > 0
            group by minute
            """,
            row -> new long[] {row.number("minute"), row.number("n"), row.number("failed")},
            since,
            firstId(),
            since)
        .forEach(row -> {
          add(all, row[0], row[1]);
          add(failed, row[0], row[2]);
        });
    return MinuteChart.of("Turns", "turn", all, failed);
  }

  private MinuteChart events(String title, String unit, String kind, long first) {
    var all = new long[MINUTES];
    tx.list(
            """
            select (at - ?) / 60000 as minute, count(*) as n
            from event where seq > ? and at >= ? and kind = ?
            group by minute
            """,
            row -> new long[] {row.number("minute"), row.number("n")},
            since,
            first,
            since,
            kind)
        .forEach(row -> add(all, row[0], row[1]));
    return MinuteChart.of(title, unit, all, new long[MINUTES]);
  }

  private MinuteChart tokens() {
    var all = new long[MINUTES];
    tx.list(
            """
            select (started_at - ?) / 60000 as minute, sum(input_tokens + output_tokens) as n
            from run_step where run_id >= ? and started_at >= ?
            group by minute
            """,
            row -> new long[] {row.number("minute"), row.number("n")},
            since,
            firstId(),
            since)
        .forEach(row -> add(all, row[0], row[1]));
    return MinuteChart.of("Tokens", "token", all, new long[MINUTES]);
  }

  private static void add(long[] counts, long minute, long count) {
    if (minute >= 0 && minute < counts.length) {
      counts[(int) minute] += count;
    }
  }

  /// Durations of the newest turns, shortest first.
  private List<Long> durations() {
    var took =
        new ArrayList<>(
            tx.list(
                """
                select ended_at - started_at as took from run
                where id >= ? and started_at >= ? and ended_at is not null and turn_no > 0
                order by id desc limit ?
                """,
                row -> row.number("took"),
                firstId(),
                since,
                TURNS));
    took.sort(null);
    return took;
  }

  private static String time(List<Long> sorted, double share) {
    int place = (int) Math.min(sorted.size() - 1L, Math.round(share * (sorted.size() - 1)));
    return NumberText.time(Duration.ofMillis(sorted.get(place)));
  }

  /// Lower bound of ids created since then: ids start with their time.
  private String firstId() {
    return firstId(Instant.ofEpochMilli(since));
  }

  static String firstId(Instant since) {
    String hex = "%012x".formatted(since.toEpochMilli());
    return hex.substring(0, 8) + "-" + hex.substring(8);
  }

  /// Last event number before the hour, by binary search.
  private long firstEvent() {
    long low = 0;
    long high = tx.number("select coalesce(max(seq), 0) as n from event");
    while (low < high) {
      long middle = (low + high) / 2;
      long at = tx.number("select at as n from event where seq > ? order by seq limit 1", middle);
      if (at < since) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
