package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Signals that agents may be ready. On PostgreSQL there always is one, because other daemons write
/// unnoticed.
@OnEveryDatabase
final class ReadySignalTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final Database database;
  private final boolean always;
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  private final ReadySignal occasion;

  ReadySignalTest(TestDatabase place) {
    this.database = place.open();
    this.always = place.dialect() == Dialect.POSTGRES;
    this.occasion = new ReadySignal(database, now::get, LONG);
  }

  @Test
  void the_first_query_has_a_signal_and_the_next_has_none() {
    assertThat(occasion.take()).isTrue();
    assertThat(occasion.take()).isEqualTo(always);
  }

  @Test
  void a_new_inbox_event_is_a_signal_and_the_record_of_a_call_is_not() {
    assertThat(occasion.take()).isTrue();
    database.transact(tx -> tx.update("delete from run_message"));
    assertThat(occasion.take()).isEqualTo(always);
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
  void an_explicit_notification_is_a_signal() {
    assertThat(occasion.take()).isTrue();
    occasion.signal();
    assertThat(occasion.take()).isTrue();
  }
}
