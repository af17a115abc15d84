package dev.substrat.server.health;

import dev.substrat.platform.log.Log;
import dev.substrat.store.Database;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Totals of turns, messages, tool calls and tokens per minute, so that a page about the last hour
/// does not read the events of that hour.
///
/// A background thread of each daemon counts new events in batches. A batch and the number of its
/// last event are written in one transaction, which fails if another daemon was faster: each event
/// is counted once. Readers add the events that are not counted yet.
public final class ActivityMinutes implements AutoCloseable {
  private static final Log LOG = Log.of(ActivityMinutes.class);
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final Duration LONGEST_JOIN = Duration.ofSeconds(2);
  private static final Duration COUNTED_AT_FIRST = Duration.ofHours(1);
  private static final Duration KEPT = Duration.ofDays(1);

  /// Number of events that are read at once. A reader does not add more: after an update, the first
  /// count of a large log takes some seconds.
  private static final int BATCH = 5_000;

  private static final long MINUTE = Duration.ofMinutes(1).toMillis();

  private static final String EVENTS =
      """
      select at / 60000 as minute, '' as provider, 0 as turns, 0 as failed,
        sum(case when kind = 'message_sent' then 1 else 0 end) as messages,
        sum(case when kind = 'tool_called' then 1 else 0 end) as calls, 0 as tokens
      from event where seq > ? and seq <= ? and kind in ('message_sent', 'tool_called')
      group by minute
      """;

  /// In the minute in which the turn started; what it used is known when it ends.
  private static final String TURNS =
      """
      select run.started_at / 60000 as minute, agent.provider,
        sum(case when event.kind = 'turn_started' then 1 else 0 end) as turns,
        sum(case when event.kind = 'turn_ended' and run.status = 'failed' then 1 else 0 end)
          as failed,
        0 as messages, 0 as calls,
        sum(case when event.kind = 'turn_ended' then (
          select coalesce(sum(input_tokens + output_tokens), 0) from run_step
          where run_step.run_id = run.id
        ) else 0 end) as tokens
      from event
      join event_entity on event_entity.no = event.run_no
      join run on run.id = event_entity.id
      join agent on agent.id = run.agent_id
      where event.seq > ? and event.seq <= ? and event.kind in ('turn_started', 'turn_ended')
      group by run.started_at / 60000, agent.provider
      """;

  private static final String ADD =
      """
      insert into activity_minute (minute, provider, turns, failed, messages, calls, tokens)
      values (?, ?, ?, ?, ?, ?, ?)
      on conflict (minute, provider) do update set turns = activity_minute.turns + excluded.turns,
        failed = activity_minute.failed + excluded.failed,
        messages = activity_minute.messages + excluded.messages,
        calls = activity_minute.calls + excluded.calls,
        tokens = activity_minute.tokens + excluded.tokens
      """;

  private final Database database;
  private final InstantSource clock;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;

  /// What happened in a minute, given as minutes since 1970. `provider` is empty for messages and
  /// calls.
  public record Total(
      long minute,
      String provider,
      long turns,
      long failed,
      long messages,
      long calls,
      long tokens) {}

  /// Events after `after` up to `upTo`. `before` is the stored number of the last counted event.
  private record Batch(long before, long after, long upTo, List<Total> totals) {}

  private ActivityMinutes(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
    this.thread = Thread.ofVirtual().name("activity-minutes").start(this::work);
  }

  /// Counts events until it is closed.
  public static ActivityMinutes start(Database database, InstantSource clock) {
    return new ActivityMinutes(database, clock);
  }

  /// Totals from that time on, in no order; a minute may have several.
  public static List<Total> since(Tx tx, Instant from) {
    var totals =
        new ArrayList<>(
            tx.list(
                """
                select minute, provider, turns, failed, messages, calls, tokens
                from activity_minute where minute >= ?
                """,
                ActivityMinutes::total,
                from.toEpochMilli() / MINUTE));
    totals.addAll(next(tx, from).totals());
    return totals;
  }

  private void work() {
    try {
      do {
        catchUp();
      } while (!closing.await(EVERY.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void catchUp() {
    try {
      while (closing.getCount() > 0 && countNext(database, clock.instant())) {
        // The next batch.
      }
    } catch (RuntimeException e) {
      // [ReadinessCheck] reports why; the events stay in the log.
      LOG.debug("cannot count events for the Health page", "reason", e.getMessage());
    }
  }

  /// Counts the next batch of events; false if there was none.
  static boolean countNext(Database database, Instant now) {
    Batch batch = database.read(tx -> next(tx, now.minus(COUNTED_AT_FIRST)));
    if (batch.upTo() == batch.before()) {
      return false;
    }
    database.run(tx -> add(tx, batch, now));
    return batch.upTo() > batch.after();
  }

  /// Changes nothing if another daemon has counted these events.
  private static void add(Tx tx, Batch batch, Instant now) {
    int mine =
        tx.update(
            "update activity_progress set last_seq = ? where last_seq = ?",
            batch.upTo(),
            batch.before());
    if (mine == 0) {
      return;
    }
    for (Total one : batch.totals()) {
      tx.update(
          ADD,
          one.minute(),
          one.provider(),
          one.turns(),
          one.failed(),
          one.messages(),
          one.calls(),
          one.tokens());
    }
    tx.update(
        "delete from activity_minute where minute < ?", now.minus(KEPT).toEpochMilli() / MINUTE);
  }

  /// The next events that are not counted; before the first count, those since `from`.
  private static Batch next(Tx tx, Instant from) {
    long before = tx.number("select last_seq as n from activity_progress");
    long last = tx.number("select coalesce(max(seq), 0) as n from event");
    long after = before < 0 ? lastBefore(tx, from, last) : before;
    long upTo = Math.max(after, Math.min(last, after + BATCH));
    var totals = new ArrayList<Total>();
    if (upTo > after) {
      for (String query : List.of(EVENTS, TURNS)) {
        totals.addAll(tx.list(query, ActivityMinutes::total, after, upTo));
      }
    }
    return new Batch(before, after, upTo, totals);
  }

  private static Total total(ResultRow row) {
    return new Total(
        row.number("minute"),
        row.text("provider"),
        row.number("turns"),
        row.number("failed"),
        row.number("messages"),
        row.number("calls"),
        row.number("tokens"));
  }

  /// The number of the last event before a time, by binary search.
  private static long lastBefore(Tx tx, Instant time, long last) {
    long low = 0;
    long high = last;
    while (low < high) {
      long middle = (low + high) / 2;
      long at = tx.number("select at as n from event where seq > ? order by seq limit 1", middle);
      if (at < time.toEpochMilli()) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join(LONGEST_JOIN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
