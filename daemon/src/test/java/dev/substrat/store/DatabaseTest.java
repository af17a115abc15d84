package dev.substrat.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
final class DatabaseTest {
  private static final String PUT =
      "insert into credential (id, hash, principal, label, created_at) values (?, '', '', ?, 0)";

  /// Its absolute value is too large for either database.
  private static final long MIN = Long.MIN_VALUE;

  private final TestDatabase place;
  private Database database;

  DatabaseTest(TestDatabase place) {
    this.place = place;
    this.database = place.open();
  }

  @BeforeEach
  @AfterEach
  void empty() {
    database.transact(tx -> tx.update("delete from credential"));
  }

  @Test
  void committed_rows_can_be_read() {
    database.transact(tx -> tx.update(PUT, "a", "ada"));

    assertThat(labels()).containsExactly("ada");
  }

  @Test
  void a_glance_returns_the_same_as_a_read() {
    database.transact(tx -> tx.update(PUT, "a", "ada"));

    List<String> seen = database.readByKey(DatabaseTest::labels);

    assertThat(seen).containsExactly("ada");
  }

  @Test
  void a_failed_transaction_leaves_no_rows() {
    assertThatThrownBy(() ->
            database.transact(tx -> {
              tx.update(PUT, "a", "ada");
              throw new IllegalStateException("changed my mind");
            }))
        .hasMessage("changed my mind");

    assertThat(labels()).isEmpty();
  }

  @Test
  void a_failed_transaction_does_not_fail_others_of_the_batch() throws Exception {
    List<Future<Integer>> outcomes = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 400; i++) {
        outcomes.add(threads.submit(putOrFail(i)));
      }
    }
    for (int i = 0; i < outcomes.size(); i++) {
      assertThat(outcomes.get(i).state())
          .isEqualTo(i % 4 == 0 ? Future.State.FAILED : Future.State.SUCCESS);
    }
    assertThat(labels()).hasSize(300).noneMatch(label -> Integer.parseInt(label) % 4 == 0);
  }

  /// Every fourth fails: half of them in Java after a write, half in SQL.
  private Callable<Integer> putOrFail(int number) {
    return () ->
        database.transact(tx -> {
          tx.update(PUT, "id-" + number, String.valueOf(number));
          if (number % 8 == 0) {
            throw new IllegalStateException("on purpose");
          }
          return number % 4 == 0 ? tx.update("insert into nowhere values (1)") : 1;
        });
  }

  @Test
  void concurrent_increments_are_not_lost() {
    database.transact(tx -> tx.update(PUT, "counter", "0"));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 200; i++) {
        threads.execute(() -> database.transact(DatabaseTest::increment));
      }
    }
    assertThat(labels()).containsExactly("200");
  }

  private static int increment(Tx tx) {
    tx.update("update credential set hash = 'locked' where id = 'counter'");
    String before =
        tx.find("select label from credential where id = 'counter'", row -> row.text("label"))
            .orElseThrow();
    return tx.update(
        "update credential set label = ? where id = 'counter'",
        String.valueOf(Integer.parseInt(before) + 1));
  }

  @Test
  void a_read_sees_one_snapshot_during_writes() throws Exception {
    database.transact(tx -> tx.update(PUT, "a", "ada"));
    var looked = new CountDownLatch(1);
    var written = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Boolean> steady =
          threads.submit(() ->
              database.read(tx -> {
                var before = labels(tx);
                looked.countDown();
                await(written);
                return before.equals(labels(tx));
              }));
      looked.await();
      database.transact(tx -> tx.update(PUT, "b", "ben"));
      written.countDown();

      assertThat(steady.get()).isTrue();
    }
    assertThat(labels()).containsExactly("ada", "ben");
  }

  @Test
  void after_commit_actions_run_only_after_a_commit() {
    var rings = new AtomicInteger();
    Runnable ring = rings::incrementAndGet;
    assertThatThrownBy(() ->
            database.transact(tx -> {
              tx.afterCommit(ring);
              throw new IllegalStateException();
            }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(rings).hasValue(0);

    database.transact(tx -> {
      tx.afterCommit(ring);
      return true;
    });
    assertThat(rings).hasValue(1);
  }

  @Test
  void an_after_commit_action_that_fails_does_not_fail_its_transaction() {
    assertThat(
            database.<Integer>transact(tx -> {
              tx.afterCommit(() -> {
                throw new IllegalStateException("on purpose");
              });
              return tx.update(PUT, "a", "ada");
            }))
        .isEqualTo(1);
    assertThat(labels()).containsExactly("ada");
  }

  @Test
  void a_transaction_or_read_inside_another_is_refused() {
    Database.TransactionBody<Integer> write = tx -> tx.update(PUT, "a", "ada");
    assertThatThrownBy(() -> database.transact(_ -> database.transact(write)))
        .hasMessageContaining("nested transaction");
    assertThatThrownBy(() -> database.transact(_ -> database.read(DatabaseTest::labels)))
        .hasMessageContaining("nested transaction");
    assertThatThrownBy(() -> database.read(_ -> database.transact(write)))
        .hasMessageContaining("nested transaction");
    assertThatThrownBy(() -> database.read(_ -> database.read(DatabaseTest::labels)))
        .hasMessageContaining("nested transaction");

    assertThat(labels()).isEmpty();
    assertThat(database.transact(write)).isEqualTo(1);
  }

  @Test
  void a_failed_statement_rolls_back_the_transaction_even_if_it_is_caught() {
    database.transact(tx -> tx.update(PUT, "a", "ada"));
    assertThatThrownBy(() ->
            database.transact(tx -> {
              tx.update(PUT, "b", "ben");
              assertThatThrownBy(() -> tx.update(PUT, "a", "again"));
              return true;
            }))
        .isInstanceOf(Fault.class);

    assertThat(labels()).containsExactly("ada");
  }

  @Test
  void a_statement_that_failed_once_works_again() {
    for (int round = 0; round < 3; round++) {
      assertThatThrownBy(() ->
              database.transact(tx -> {
                tx.update(PUT, "a", "ada");
                return tx.update(PUT, "a", "twice");
              }))
          .isInstanceOf(Fault.class);
      assertThatThrownBy(
              () -> database.read(tx -> tx.number("select 1 / (select 0) + abs(?) as n", MIN)))
          .isInstanceOf(Fault.class);
    }
    database.transact(tx -> tx.update(PUT, "a", "ada"));
    assertThat(labels()).containsExactly("ada");
  }

  @Test
  void a_query_may_run_again_while_its_rows_are_read() {
    database.transact(tx -> tx.update(PUT, "a", "ada") + tx.update(PUT, "b", "ben"));

    assertThat(
            database.<List<String>>read(tx ->
                tx.list(
                    "select label from credential order by id",
                    row -> row.text("label") + labels(tx))))
        .containsExactly("ada[ada, ben]", "ben[ada, ben]");
  }

  @Test
  void an_interrupted_caller_still_gets_the_result_of_its_transaction() throws Exception {
    for (int i = 0; i < 20; i++) {
      String id = "letter-" + i;
      var started = new CountDownLatch(1);
      var interrupted = new CountDownLatch(1);
      var caller =
          new ConcurrentCallers.Caller<>(
              database,
              tx -> {
                started.countDown();
                await(interrupted);
                return tx.update(PUT, id, "x");
              });
      started.await();
      caller.thread().interrupt();
      interrupted.countDown();
      assertThat(caller.outcome()).isEqualTo(1);
    }
    assertThat(labels()).hasSize(20);
  }

  @Test
  void an_interrupted_thread_can_write_and_read_and_stays_interrupted() {
    Thread.currentThread().interrupt();
    try {
      assertThat(database.<Integer>transact(tx -> tx.update(PUT, "a", "ada"))).isEqualTo(1);
      assertThat(labels()).containsExactly("ada");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void a_closed_database_rejects_all_work() {
    database.close();
    for (ThrowingCallable late :
        List.<ThrowingCallable>of(
            () -> database.transact(tx -> tx.update(PUT, "a", "ada")),
            this::labels,
            () -> database.readByKey(DatabaseTest::labels))) {
      assertThatThrownBy(late)
          .isInstanceOfSatisfying(
              Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.STOPPING));
    }
    database = place.open();
  }

  private List<String> labels() {
    return database.read(DatabaseTest::labels);
  }

  private static List<String> labels(Tx tx) {
    return tx.list("select label from credential order by id", row -> row.text("label"));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
