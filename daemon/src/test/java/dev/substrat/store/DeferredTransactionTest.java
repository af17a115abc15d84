package dev.substrat.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.protocol.Fault;
import dev.substrat.testkit.Await;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Deferred transactions: written without a waiting caller.
@Timeout(300)
final class DeferredTransactionTest {
  @TempDir private Path directory;
  private Path file = Path.of("");
  private Database database;
  private ConcurrentCallers crowd;
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();

  @BeforeEach
  void open() {
    file = directory.resolve("substrat.db");
    database = Database.embedded(file, InstantSource.system());
    crowd = new ConcurrentCallers(database);
  }

  @AfterEach
  void close() {
    crowd.close();
    database.close();
  }

  @Test
  void a_deferred_transaction_does_not_block_and_later_reads_see_it() throws Exception {
    crowd.holdTheWriter();
    put("soon");
    var ids = new CopyOnWriteArrayList<List<String>>();
    Thread reader = Thread.ofVirtual().start(() -> ids.add(TestRows.ids(database)));
    Await.until(() -> reader.getState() == Thread.State.WAITING);

    crowd.letTheWriterGo();

    assertThat(reader.join(ConcurrentCallers.LIMIT)).isTrue();
    assertThat(ids).containsExactly(List.of("soon"));
  }

  @Test
  void later_writes_follow_a_deferred_transaction() throws Exception {
    crowd.holdTheWriter();
    put("soon");
    var later =
        crowd.call(tx ->
            tx.list("select id from credential order by id", row -> row.text("id")).toString());
    crowd.letTheWriterGo();

    assertThat(later.outcome()).isEqualTo("[soon]");
  }

  @Test
  void many_deferred_transactions_share_one_commit() throws Exception {
    int before = WalFile.commits(file);
    crowd.holdTheWriter();
    IntStream.range(0, 200).forEach(i -> put("letter-" + i));
    crowd.letTheWriterGo();

    assertThat(TestRows.ids(database)).hasSize(200);
    assertThat(WalFile.commits(file) - before).isEqualTo(1);
  }

  @Test
  void a_failed_deferred_transaction_reports_its_reason_and_fails_no_other() {
    crowd.holdTheWriter();
    put("before");
    database.transactDeferred(
        tx -> {
          TestRows.put(tx, "half", "x");
          throw new IllegalStateException("half-way");
        },
        failures::add);
    put("then");
    crowd.letTheWriterGo();

    assertThat(TestRows.ids(database)).containsExactly("before", "then");
    assertThat(failures).singleElement().satisfies(e -> assertThat(e).hasMessage("half-way"));
  }

  @Test
  void a_waiting_reader_returns_after_the_failure_callback() {
    for (int i = 1; i <= 50; i++) {
      database.transactDeferred(
          _ -> {
            throw new IllegalStateException("never");
          },
          failures::add);
      TestRows.ids(database);
      assertThat(failures).hasSize(i);
    }
  }

  @Test
  void a_read_inside_a_transaction_is_rejected() {
    put("soon");
    assertThatThrownBy(() -> database.transact(_ -> TestRows.ids(database)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("nested transaction");
  }

  @Test
  void too_many_deferred_transactions_block_the_caller() throws Exception {
    crowd.holdTheWriter();
    Thread keen =
        Thread.ofVirtual().start(() -> IntStream.range(0, 2_000).forEach(i -> put("letter-" + i)));
    Await.until(() -> keen.getState() == Thread.State.WAITING);

    crowd.letTheWriterGo();

    assertThat(keen.join(ConcurrentCallers.LIMIT)).isTrue();
    assertThat(TestRows.ids(database)).hasSize(2_000);
  }

  @Test
  void closing_commits_earlier_deferred_transactions_and_rejects_later_ones() throws Exception {
    crowd.holdTheWriter();
    var expected = new ArrayList<String>();
    for (int i = 0; i < 300; i++) {
      put("letter-%03d".formatted(i));
      expected.add("letter-%03d".formatted(i));
    }
    Thread closer = Thread.ofVirtual().start(database::close);
    crowd.letTheWriterGo();
    assertThat(closer.join(ConcurrentCallers.LIMIT)).isTrue();

    assertThatThrownBy(() -> put("too-late")).isInstanceOf(Fault.class);
    assertThatThrownBy(() -> TestRows.ids(database)).isInstanceOf(Fault.class);
    try (var again = Database.embedded(file, InstantSource.system())) {
      assertThat(TestRows.ids(again)).isEqualTo(expected);
    }
    assertThat(failures).hasSizeLessThanOrEqualTo(1);
  }

  private void put(String id) {
    database.transactDeferred(tx -> TestRows.put(tx, id, "x"), failures::add);
  }
}
