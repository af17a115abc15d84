package dev.substrat.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A cached value must never be older than the last acknowledged commit.
@OnEveryDatabase
@Timeout(300)
@Requirement("N7")
final class ReadThroughCacheTest {
  private static final String CHANGE = "update credential set hash = ? where id = ?";

  private final Database database;
  private final AtomicInteger looks = new AtomicInteger();
  private final ReadThroughCache<String, Optional<String>> remembered;

  ReadThroughCacheTest(TestDatabase place) {
    this.database = place.open();
    this.remembered = new ReadThroughCache<>(database, Set.of("credential"), 3, this::look);
  }

  @BeforeEach
  @AfterEach
  void empty() {
    database.transact(tx -> tx.update("delete from credential"));
  }

  private Optional<String> look(Tx tx, String id) {
    looks.incrementAndGet();
    return tx.find("select hash from credential where id = ?", row -> row.text("hash"), id);
  }

  @Test
  void a_committed_change_is_visible_immediately() {
    assertThat(remembered.get("a")).isEmpty();
    TestRows.put(database, "a", "first");
    assertThat(remembered.get("a")).contains("first");
    database.transact(tx -> tx.update(CHANGE, "second", "a"));
    assertThat(remembered.get("a")).contains("second");
    database.transact(tx -> tx.update("delete from credential where id = ?", "a"));
    assertThat(remembered.get("a")).isEmpty();
  }

  @Test
  void with_one_writer_entries_are_cached() {
    TestRows.put(database, "a", "text");
    for (int i = 0; i < 5; i++) {
      database.transact(tx -> tx.update("update agent set name = name"));
      assertThat(remembered.get("a")).contains("text");
    }
    int expected =
        switch (database.dialect()) {
          case SQLITE -> 1;
          // Another daemon may have written.
          case POSTGRES -> 5;
        };
    assertThat(looks).hasValue(expected);
  }

  @Test
  void a_transaction_sees_its_own_changes_and_a_rollback_does_not_fill_the_cache() {
    TestRows.put(database, "a", "before");
    assertThat(remembered.get("a")).contains("before");
    try {
      database.transact(tx -> {
        tx.update(CHANGE, "in between", "a");
        assertThat(tx.including(() -> remembered.get("a"))).contains("in between");
        throw new IllegalStateException("changed my mind");
      });
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("changed my mind");
    }
    assertThat(remembered.get("a")).contains("before");
  }

  @Test
  void the_number_of_cached_entries_is_limited() {
    for (int i = 0; i < 4; i++) {
      assertThat(remembered.get("nobody-" + i)).isEmpty();
    }
    looks.set(0);
    assertThat(remembered.get("nobody-0")).isEmpty();
    assertThat(looks).hasValue(1);
  }

  @Test
  void an_acknowledged_change_is_visible_to_concurrent_readers() throws Exception {
    TestRows.put(database, "a", "0");
    var over = new AtomicBoolean();
    List<Thread> crowd = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      crowd.add(
          Thread.ofVirtual()
              .start(() -> {
                while (!over.get()) {
                  assertThat(remembered.get("a")).isPresent();
                }
              }));
    }
    try {
      for (int i = 1; i <= 300; i++) {
        String text = String.valueOf(i);
        database.transact(tx -> tx.update(CHANGE, text, "a"));
        assertThat(remembered.get("a")).contains(text);
      }
    } finally {
      over.set(true);
      for (Thread one : crowd) {
        one.join();
      }
    }
  }
}
