package dev.substrat.memory.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventSignal;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Passages that a migration has left without an index entry.
@OnEveryDatabase
@Timeout(300)
@Requirement({"N9", "C22"})
final class IndexBackfillTest {
  private static final int PASSAGES = 130;

  private final TestDatabase place;
  private final Database database;
  private final PassageLibrary library;
  private final AgentId ada;

  IndexBackfillTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.database = place.open();
    this.library = new PassageLibrary(database, HybridSearch.ofWords(database));
    this.ada = library.agent();
    for (int i = 0; i < PASSAGES; i++) {
      library.store(ada, "tide " + i, i == 7 ? "seven" : "other");
    }
    removeEntries();
  }

  /// As after the migration.
  private void removeEntries() {
    database.transact(tx -> {
      if (place.dialect() == Dialect.SQLITE) {
        tx.update("delete from passage_grams where rowid in (select seq from passage_text)");
      }
      return tx.update(
          place.dialect() == Dialect.SQLITE
              ? "update passage_text set text = null"
              : "update passage_text set text = null, grams = null");
    });
  }

  @AfterEach
  void close() throws IOException {
    place.close();
  }

  @Test
  void passages_are_found_before_they_are_indexed() {
    assertThat(notIndexed()).isEqualTo(PASSAGES);
    assertAllIsFound();

    library.delete(ada, library.hits(ada, "tide", "seven").getFirst().id());

    assertThat(library.find(ada, "tide", "seven")).isEmpty();
  }

  @Test
  void all_passages_are_indexed_and_found_afterwards() throws Exception {
    try (var backfill = IndexBackfill.start(database)) {
      backfill.await();
    }

    assertThat(notIndexed()).isZero();
    assertAllIsFound();
  }

  @Test
  void a_daemon_that_was_killed_continues_where_it_stopped() throws Exception {
    database.transact(tx -> {
      var some = PassageIndex.claimNotIndexed(tx, 60);
      some.forEach(one -> PassageIndex.put(tx, one.agent(), one.id(), one.content(), one.tags()));
      return some.size();
    });
    assertThat(notIndexed()).isEqualTo(PASSAGES - 60);
    assertAllIsFound();

    try (var backfill = IndexBackfill.start(database)) {
      backfill.await();
    }

    assertThat(notIndexed()).isZero();
    assertAllIsFound();
  }

  @Test
  void a_passage_that_cannot_be_indexed_does_not_stop_the_others() throws Exception {
    refuse("like 'tide 7%seven%'");
    try (var backfill = IndexBackfill.start(database, Duration.ofMillis(1))) {
      awaitNotIndexed(1);
      assertThat(library.find(ada, "tide", "seven")).containsExactly("tide 7");

      refuseNothing();
      backfill.await();
    }

    assertThat(notIndexed()).isZero();
    assertAllIsFound();
  }

  @Test
  void a_failure_of_all_is_retried() throws Exception {
    refuse("is not null");
    try (var backfill = IndexBackfill.start(database, Duration.ofMillis(1))) {
      var never = new EventSignal();
      while (backfill.failures() < 2) {
        never.awaitMoreThan(0, Duration.ofMillis(20));
      }
      assertThat(notIndexed()).isEqualTo(PASSAGES);

      refuseNothing();
      backfill.await();
    }

    assertThat(notIndexed()).isZero();
  }

  @Test
  void closing_does_not_wait_for_the_next_attempt() throws Exception {
    refuse("is not null");
    var backfill = IndexBackfill.start(database, Duration.ofDays(1));
    var never = new EventSignal();
    while (backfill.failures() < 1) {
      never.awaitMoreThan(0, Duration.ofMillis(20));
    }

    backfill.close();

    assertThat(notIndexed()).isEqualTo(PASSAGES);
  }

  /// The database rejects index entries whose text matches this.
  private void refuse(String condition) {
    database.transact(tx ->
        tx.update(
            place.dialect() == Dialect.SQLITE
                ? """
                create trigger refused before update on passage_text when new.text %s
                begin select raise(abort, 'refused'); end
                """
                    .formatted(condition)
                : "alter table passage_text add constraint refused check (not (text %s)) not valid"
                    .formatted(condition)));
  }

  private void refuseNothing() {
    database.transact(tx ->
        tx.update(
            place.dialect() == Dialect.SQLITE
                ? "drop trigger refused"
                : "alter table passage_text drop constraint refused"));
  }

  private void awaitNotIndexed(long expected) throws InterruptedException {
    var never = new EventSignal();
    while (notIndexed() > expected) {
      never.awaitMoreThan(0, Duration.ofMillis(20));
    }
  }

  private void assertAllIsFound() {
    assertThat(library.find(ada, "tide 12")).hasSize(10).startsWith("tide 12", "tide 129");
    assertThat(library.find(ada, "11 tide")).contains("tide 11", "tide 119");
    assertThat(library.find(ada, "tide", "seven")).containsExactly("tide 7");
    assertThat(library.find(ada, "", "seven")).containsExactly("tide 7");
    assertThat(library.find(ada, "").getFirst()).isEqualTo("tide " + (PASSAGES - 1));
  }

  private long notIndexed() {
    return database.read(
        tx -> tx.number("select count(*) as n from passage_text where text is null"));
  }
}
