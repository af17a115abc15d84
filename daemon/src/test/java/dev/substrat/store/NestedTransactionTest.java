package dev.substrat.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Transactions that join an outer transaction.
@OnEveryDatabase
final class NestedTransactionTest {
  private final Database database;

  NestedTransactionTest(TestDatabase place) {
    this.database = place.open();
  }

  @BeforeEach
  @AfterEach
  void empty() {
    database.transact(tx -> tx.update("delete from credential"));
  }

  @Test
  void inner_and_outer_transaction_commit_together() {
    database.transact(tx -> {
      TestRows.put(tx, "a", "outer");
      return tx.including(() -> TestRows.put(database, "b", "inner"));
    });

    assertThat(TestRows.ids(database)).containsExactly("a", "b");
  }

  @Test
  void inner_and_outer_transaction_roll_back_together() {
    assertThatThrownBy(() ->
            database.transact(tx -> {
              tx.including(() -> TestRows.put(database, "b", "inner"));
              throw new IllegalStateException("changed my mind");
            }))
        .hasMessage("changed my mind");

    assertThat(TestRows.ids(database)).isEmpty();
  }

  @Test
  void an_inner_transaction_sees_changes_of_the_outer_one() {
    List<String> seen =
        database.transact(tx -> {
          TestRows.put(tx, "a", "outer");
          return tx.including(() -> TestRows.ids(database));
        });

    assertThat(seen).containsExactly("a");
  }

  @Test
  void after_commit_actions_wait_for_the_outer_transaction() {
    var told = new ArrayList<String>();
    database.transact(tx -> {
      tx.including(() ->
          database.transact(inner -> {
            inner.afterCommit(() -> told.add("durable"));
            return true;
          }));
      return told.add("not yet");
    });

    assertThat(told).containsExactly("not yet", "durable");
  }

  @Test
  void a_failed_inner_statement_fails_the_outer_transaction() {
    TestRows.put(database, "a", "first");

    assertThatThrownBy(() ->
            database.transact(tx -> {
              TestRows.put(tx, "b", "outer");
              return tx.including(() -> TestRows.put(database, "a", "again"));
            }))
        .isInstanceOf(RuntimeException.class);

    assertThat(TestRows.ids(database)).containsExactly("a");
  }
}
