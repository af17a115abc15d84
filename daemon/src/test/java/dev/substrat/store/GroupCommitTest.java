package dev.substrat.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class GroupCommitTest {
  @TempDir private Path directory;
  private Path file = Path.of("");
  private Database database;
  private ConcurrentCallers crowd;

  @BeforeEach
  void open() {
    file = directory.resolve("substrat.db");
    database = Database.embedded(file, InstantSource.system());
    crowd = new ConcurrentCallers(database);
  }

  @AfterEach
  void close() throws Exception {
    crowd.close();
    database.close();
  }

  @Test
  void a_hundred_callers_share_one_commit() throws Exception {
    int before = WalFile.commits(file);
    crowd.holdTheWriter();
    var callers = callAll(100, i -> tx -> TestRows.put(tx, "letter-" + i, "x"));
    crowd.letTheWriterGo();

    for (var caller : callers) {
      assertThat(caller.outcome()).isEqualTo(1);
    }
    assertThat(WalFile.commits(file) - before).isEqualTo(1);
    assertThat(TestRows.ids(database)).hasSize(100);
  }

  @Test
  void each_caller_of_a_batch_gets_its_own_result_or_failure() throws Exception {
    crowd.holdTheWriter();
    var callers =
        callAll(
            90,
            i ->
                tx -> {
                  TestRows.put(tx, "letter-" + i, "x");
                  return switch (i % 3) {
                    case 0 -> i;
                    case 1 -> throw new IllegalStateException("caller " + i);
                    default -> tx.update("insert into nowhere_" + i + " values (1)");
                  };
                });
    crowd.letTheWriterGo();

    for (int i = 0; i < callers.size(); i++) {
      var caller = callers.get(i);
      switch (i % 3) {
        case 0 -> assertThat(caller.outcome()).isEqualTo(i);
        case 1 -> assertThatThrownBy(caller::outcome).hasMessage("caller " + i);
        default -> assertThatThrownBy(caller::outcome).hasStackTraceContaining("nowhere_" + i);
      }
    }
    assertThat(TestRows.ids(database)).hasSize(30);
  }

  @Test
  void a_failure_before_any_change_does_not_rerun_the_batch() throws Exception {
    var runs = new AtomicInteger();
    crowd.holdTheWriter();
    var callers =
        callAll(
            3,
            i ->
                tx -> {
                  runs.incrementAndGet();
                  if (i == 1) {
                    throw new IllegalStateException("never begun");
                  }
                  return TestRows.put(tx, "letter-" + i, "x");
                });
    crowd.letTheWriterGo();

    assertThat(callers.get(0).outcome()).isEqualTo(1);
    assertThatThrownBy(callers.get(1)::outcome).hasMessage("never begun");
    assertThat(callers.get(2).outcome()).isEqualTo(1);
    assertThat(runs).hasValue(3);
    assertThat(TestRows.ids(database)).containsExactly("letter-0", "letter-2");
  }

  @Test
  void a_partly_executed_transaction_is_rolled_back_alone() throws Exception {
    crowd.holdTheWriter();
    var before = crowd.call(tx -> TestRows.put(tx, "before", "x"));
    var half =
        crowd.call(tx -> {
          TestRows.put(tx, "half", "x");
          throw new IllegalStateException("half-way");
        });
    var wrong = crowd.call(tx -> tx.update("insert into nowhere values (1)"));
    var after = crowd.call(tx -> TestRows.put(tx, "then", "x"));
    crowd.letTheWriterGo();

    assertThat(before.outcome()).isEqualTo(1);
    assertThatThrownBy(half::outcome).hasMessage("half-way");
    assertThatThrownBy(wrong::outcome).hasStackTraceContaining("nowhere");
    assertThat(after.outcome()).isEqualTo(1);
    assertThat(TestRows.ids(database)).containsExactly("before", "then");
  }

  @Test
  void closing_answers_every_waiting_caller() throws Exception {
    crowd.holdTheWriter();
    var callers = callAll(600, i -> tx -> TestRows.put(tx, "letter-%03d".formatted(i), "x"));
    Thread closer = Thread.ofVirtual().start(database::close);
    crowd.letTheWriterGo();
    assertThat(closer.join(ConcurrentCallers.LIMIT)).isTrue();

    requireStoredExactly(stored(callers));
  }

  @Test
  void transactions_during_close_are_committed_or_rejected() throws Exception {
    var callers = new ArrayList<ConcurrentCallers.Caller<Integer>>();
    for (int i = 0; i < 400; i++) {
      String id = "letter-%03d".formatted(i);
      callers.add(new ConcurrentCallers.Caller<>(database, tx -> TestRows.put(tx, id, "x")));
      if (i == 200) {
        Thread.ofVirtual().start(database::close);
      }
    }
    requireStoredExactly(stored(callers));
    assertThatThrownBy(() -> TestRows.put(database, "too-late", "x"))
        .isInstanceOfSatisfying(
            Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.STOPPING));
  }

  @Test
  void closing_on_an_interrupted_thread_still_waits_for_the_writer() throws Exception {
    crowd.holdTheWriter();
    var callers = callAll(50, i -> tx -> TestRows.put(tx, "letter-%03d".formatted(i), "x"));
    var stillInterrupted = new AtomicInteger();
    Thread closer =
        Thread.ofVirtual()
            .start(() -> {
              Thread.currentThread().interrupt();
              database.close();
              stillInterrupted.set(Thread.currentThread().isInterrupted() ? 1 : 0);
            });
    crowd.letTheWriterGo();
    assertThat(closer.join(ConcurrentCallers.LIMIT)).isTrue();

    assertThat(stillInterrupted).hasValue(1);
    // SQLite removes its log when the last connection is closed.
    assertThat(Files.exists(Path.of(file + "-wal"))).isFalse();
    requireStoredExactly(stored(callers));
  }

  private List<String> stored(List<ConcurrentCallers.Caller<Integer>> callers) throws Exception {
    var stored = new ArrayList<String>();
    for (int i = 0; i < callers.size(); i++) {
      try {
        callers.get(i).outcome();
        stored.add("letter-%03d".formatted(i));
      } catch (Fault refused) {
        assertThat(refused.code()).isEqualTo(ErrorCode.STOPPING);
      }
    }
    return stored;
  }

  private void requireStoredExactly(List<String> ids) {
    database.close();
    try (var again = Database.embedded(file, InstantSource.system())) {
      assertThat(TestRows.ids(again)).containsExactlyElementsOf(ids);
    }
  }

  @Test
  void an_error_in_the_work_reaches_only_its_caller() throws Exception {
    crowd.holdTheWriter();
    var deep = crowd.call(tx -> TestRows.put(tx, "deep", "x") + fall(0));
    var hungry = crowd.call(tx -> fail(tx, new OutOfMemoryError("on purpose")));
    var wrong = crowd.call(tx -> fail(tx, new AssertionError("on purpose")));
    var fine = crowd.call(tx -> TestRows.put(tx, "fine", "x"));
    crowd.letTheWriterGo();

    assertThatThrownBy(deep::outcome).isInstanceOf(StackOverflowError.class);
    assertThatThrownBy(hungry::outcome).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(wrong::outcome).isInstanceOf(AssertionError.class);
    assertThat(fine.outcome()).isEqualTo(1);
    assertThat(TestRows.put(database, "next", "x")).isEqualTo(1);
    assertThat(TestRows.ids(database)).containsExactly("fine", "next");
  }

  @Test
  void an_error_in_an_after_commit_action_is_contained() throws Exception {
    var rings = new AtomicInteger();
    crowd.holdTheWriter();
    var rude =
        crowd.call(tx -> {
          tx.afterCommit(() -> {
            throw new StackOverflowError("on purpose");
          });
          return TestRows.put(tx, "rude", "x");
        });
    var fine =
        crowd.call(tx -> {
          tx.afterCommit(rings::incrementAndGet);
          return TestRows.put(tx, "fine", "x");
        });
    crowd.letTheWriterGo();

    assertThat(rude.outcome()).isEqualTo(1);
    assertThat(fine.outcome()).isEqualTo(1);
    assertThat(rings).hasValue(1);
    assertThat(TestRows.put(database, "next", "x")).isEqualTo(1);
  }

  @Test
  void a_transaction_that_interrupts_the_writer_thread_does_not_end_it() throws Exception {
    var rude =
        new ConcurrentCallers.Caller<>(
            database,
            tx -> {
              Thread.currentThread().interrupt();
              return TestRows.put(tx, "rude", "x");
            });
    assertThat(rude.outcome()).isEqualTo(1);

    var next = new ConcurrentCallers.Caller<>(database, tx -> TestRows.put(tx, "next", "x"));
    assertThat(next.outcome()).isEqualTo(1);
  }

  private interface NumberedWork {
    Database.TransactionBody<Integer> of(int number);
  }

  private List<ConcurrentCallers.Caller<Integer>> callAll(int count, NumberedWork work) {
    var callers = new ArrayList<ConcurrentCallers.Caller<Integer>>();
    for (int i = 0; i < count; i++) {
      callers.add(crowd.call(work.of(i)));
    }
    return callers;
  }

  private static int fail(Tx tx, Error error) {
    TestRows.put(tx, "never", "x");
    throw error;
  }

  private static int fall(int depth) {
    return depth < 0 ? 0 : fall(depth + 1) + 1;
  }
}
