package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventSignal;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Signals that agents may be ready.
@OnEveryDatabase
final class ReadySignalTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final Database database;
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  private final ReadySignal occasion;

  ReadySignalTest(TestDatabase place) {
    this.database = place.open();
    this.occasion = new ReadySignal(database, now::get, LONG);
  }

  @Test
  void the_first_query_has_a_signal_and_the_next_has_none() {
    assertThat(occasion.take()).isTrue();
    assertThat(occasion.take()).isFalse();
  }

  @Test
  void a_new_inbox_event_is_a_signal_and_the_record_of_a_call_is_not() {
    assertThat(occasion.take()).isTrue();
    database.transact(tx -> tx.update("delete from run_message"));
    assertThat(occasion.take()).isFalse();
    database.transact(tx -> tx.update("update inbox_event set soft = soft"));
    assertThat(occasion.take()).isTrue();
  }

  @Test
  void elapsed_time_is_a_signal() {
    assertThat(occasion.take()).isTrue();
    now.updateAndGet(before -> before.plus(LONG));
    assertThat(occasion.take()).isTrue();
  }

  @Test
  void a_planned_signal_comes_in_time() throws Exception {
    assertThat(occasion.take()).isTrue();
    occasion.signalIn(Duration.ofMillis(1));
    new EventSignal().awaitMoreThan(0, occasion.untilDue());
    assertThat(occasion.take()).isTrue();
    assertThat(occasion.untilDue()).isGreaterThan(LONG.dividedBy(2));
  }

  @Test
  void an_explicit_notification_is_a_signal() {
    assertThat(occasion.take()).isTrue();
    occasion.signal();
    assertThat(occasion.take()).isTrue();
  }
}
