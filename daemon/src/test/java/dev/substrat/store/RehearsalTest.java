package dev.substrat.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Work that is done for its answer alone.
@OnEveryDatabase
final class RehearsalTest {
  private final Database database;

  RehearsalTest(TestDatabase place) {
    this.database = place.open();
  }

  @BeforeEach
  void empty() {
    database.transact(tx -> tx.update("delete from credential"));
  }

  @Test
  void a_rehearsal_sees_what_it_does_and_leaves_nothing() {
    var rung = new AtomicInteger();

    long seen =
        database.dryRun(tx -> {
          Letters.put(tx, "a", "hello");
          tx.afterCommit(rung::incrementAndGet);
          return tx.number("select count(*) as n from credential");
        });

    assertThat(seen).isEqualTo(1);
    assertThat(Letters.ids(database)).isEmpty();
    assertThat(rung).hasValue(0);
  }

  @Test
  void a_failure_in_a_dry_run_is_reported() {
    assertThatThrownBy(() ->
            database.dryRun(_ -> {
              throw new IllegalStateException("no");
            }))
        .hasMessage("no");
  }

  @Test
  void neighbours_of_a_rehearsal_are_kept() throws Exception {
    var kept = new ArrayList<String>();
    List<Future<Integer>> outcomes = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 100; i++) {
        String id = "l%03d".formatted(i);
        if (i % 2 == 0) {
          kept.add(id);
          outcomes.add(threads.submit(() -> Letters.put(database, id, "kept")));
        } else {
          outcomes.add(threads.submit(() -> database.dryRun(tx -> Letters.put(tx, id, "undone"))));
        }
      }
    }
    for (var outcome : outcomes) {
      assertThat(outcome.get()).isEqualTo(1);
    }
    assertThat(Letters.ids(database)).isEqualTo(kept);
  }
}
