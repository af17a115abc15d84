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

/// On PostgreSQL there always is one, since other daemons write unnoticed.
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
  void there_is_one_at_first_and_then_none() {
    assertThat(occasion.take()).isTrue();
    assertThat(occasion.take()).isEqualTo(always);
  }

  @Test
  void mail_is_one_and_the_record_of_a_call_is_none() {
    assertThat(occasion.take()).isTrue();
    database.transact(tx -> tx.update("delete from run_message"));
    assertThat(occasion.take()).isEqualTo(always);
    database.transact(tx -> tx.update("update inbox_event set soft = soft"));
    assertThat(occasion.take()).isTrue();
  }

  @Test
  void time_that_has_passed_is_one() {
    assertThat(occasion.take()).isTrue();
    now.updateAndGet(before -> before.plus(LONG));
    assertThat(occasion.take()).isTrue();
  }

  @Test
  void whatever_else_happens_is_one() {
    assertThat(occasion.take()).isTrue();
    occasion.signal();
    assertThat(occasion.take()).isTrue();
  }
}
