package dev.substrat.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.health.ActivityMinutes.Total;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.Tx;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Each event is counted once, even if several daemons count or one is killed.
@OnEveryDatabase
@Timeout(60)
final class ActivityMinutesTest {
  private static final Instant NOW = Instant.parse("2026-06-01T12:00:30Z");
  private static final int EVENTS = 12_000;

  private final TestDatabase place;
  private final Database database;

  ActivityMinutesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.database = place.open();
    database.run(tx ->
        tx.update(
            """
            insert into agent (id, handle, name, description, role, config, created_at, provider)
            values ('ada', 'ada', 'ada', '', 'agent', '{}', 0, 'tide')
            """));
  }

  @AfterEach
  void close() throws IOException {
    database.close();
    place.close();
  }

  @Test
  void events_are_counted_in_batches_and_readers_add_those_that_are_not_counted() {
    calls(1, EVENTS);
    assertThat(sum(Total::calls)).as("at most a batch before the first count").isEqualTo(5_000);

    while (ActivityMinutes.countNext(database, NOW)) {
      // The next batch.
    }

    assertThat(sum(Total::calls)).isEqualTo(EVENTS);
    calls(EVENTS + 1, EVENTS + 3);
    assertThat(sum(Total::calls)).as("not counted yet").isEqualTo(EVENTS + 3);
    ActivityMinutes.countNext(database, NOW);
    assertThat(sum(Total::calls)).isEqualTo(EVENTS + 3);
    assertThat(ActivityMinutes.countNext(database, NOW)).isFalse();
    assertThat(sum(Total::calls)).isEqualTo(EVENTS + 3);
  }

  @Test
  void several_daemons_count_each_event_once() throws Exception {
    calls(1, EVENTS);
    Callable<Boolean> daemon =
        () -> {
          while (ActivityMinutes.countNext(database, NOW)) {
            // The next batch.
          }
          return true;
        };

    try (var daemons = Executors.newFixedThreadPool(4)) {
      for (Future<Boolean> one : daemons.invokeAll(List.of(daemon, daemon, daemon, daemon))) {
        one.get();
      }
    }

    assertThat(sum(Total::calls)).isEqualTo(EVENTS);
  }

  @Test
  void the_first_count_starts_an_hour_ago_and_old_minutes_are_deleted() {
    database.run(tx -> {
      event(tx, 1, NOW.minus(Duration.ofHours(3)), "tool_called", null);
      event(tx, 2, NOW.minus(Duration.ofMinutes(61)), "tool_called", null);
      event(tx, 3, NOW.minus(Duration.ofMinutes(59)), "tool_called", null);
    });

    ActivityMinutes.countNext(database, NOW);

    assertThat(sum(Total::calls)).isEqualTo(1);
    database.run(tx -> event(tx, 4, NOW.plus(Duration.ofDays(2)), "tool_called", null));
    ActivityMinutes.countNext(database, NOW.plus(Duration.ofDays(2)));
    assertThat(sum(Total::calls)).isEqualTo(1);
  }

  @Test
  void turns_are_counted_where_they_started_with_what_they_used() {
    Instant start = NOW.minus(Duration.ofMinutes(5));
    database.run(tx -> {
      tx.update(
          """
          insert into run (id, agent_id, turn_no, status, started_at)
          values ('r', 'ada', 1, 'running', ?)
          """,
          start);
      event(tx, 1, start, "turn_started", "r");
    });
    ActivityMinutes.countNext(database, NOW);
    assertThat(sum(Total::turns)).isEqualTo(1);

    database.run(tx -> {
      tx.update("update run set status = 'failed' where id = 'r'");
      tx.update(
          """
          insert into run_step (run_id, step, started_at, input_tokens, output_tokens)
          values ('r', 1, 0, 70, 7)
          """);
      event(tx, 2, NOW, "turn_ended", "r");
      event(tx, 3, NOW, "message_sent", null);
    });
    ActivityMinutes.countNext(database, NOW);

    long minute = start.toEpochMilli() / 60_000;
    List<Total> totals = database.read(tx -> ActivityMinutes.since(tx, start));
    assertThat(totals)
        .containsExactlyInAnyOrder(
            new Total(minute, "tide", 1, 1, 0, 0, 77), new Total(minute + 5, "", 0, 0, 1, 0, 0));
  }

  private long sum(ToLongFunction<Total> value) {
    return database.read(tx -> ActivityMinutes.since(tx, NOW.minus(Duration.ofHours(1)))).stream()
        .mapToLong(value)
        .sum();
  }

  private void calls(int first, int last) {
    database.run(tx -> {
      for (int seq = first; seq <= last; seq++) {
        event(tx, seq, NOW.minusMillis(last - seq), "tool_called", null);
      }
    });
  }

  private static void event(Tx tx, int seq, Instant at, String kind, @Nullable String run) {
    if (run != null) {
      tx.update("insert into event_entity (id) values (?) on conflict do nothing", run);
    }
    tx.update(
        """
        insert into event (seq, at, kind, run_no, payload)
        values (?, ?, ?, (select no from event_entity where id = ?), '{}')
        """,
        seq,
        at,
        kind,
        run);
  }
}
