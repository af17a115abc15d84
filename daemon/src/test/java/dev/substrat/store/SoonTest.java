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
@Timeout(60)
final class SoonTest {
  @TempDir private Path directory;
  private Path file = Path.of("");
  private Database database;
  private Crowd crowd;
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();

  @BeforeEach
  void open() {
    file = directory.resolve("substrat.db");
    database = Database.embedded(file, InstantSource.system());
    crowd = new Crowd(database);
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
    Thread reader = Thread.ofVirtual().start(() -> ids.add(Letters.ids(database)));
    Await.until(() -> reader.getState() == Thread.State.WAITING);

    crowd.letTheWriterGo();

    assertThat(reader.join(Crowd.LIMIT)).isTrue();
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
  void many_share_one_commit_and_all_of_them_are_there() throws Exception {
    int before = WalFile.commits(file);
    crowd.holdTheWriter();
    IntStream.range(0, 200).forEach(i -> put("letter-" + i));
    crowd.letTheWriterGo();

    assertThat(Letters.ids(database)).hasSize(200);
    assertThat(WalFile.commits(file) - before).isEqualTo(1);
  }

  @Test
  void one_that_fails_says_why_and_takes_nothing_along() {
    crowd.holdTheWriter();
    put("before");
    database.transactDeferred(
        tx -> {
          Letters.put(tx, "half", "x");
          throw new IllegalStateException("half-way");
        },
        failures::add);
    put("then");
    crowd.letTheWriterGo();

    assertThat(Letters.ids(database)).containsExactly("before", "then");
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
      Letters.ids(database);
      assertThat(failures).hasSize(i);
    }
  }

  @Test
  void a_read_where_it_would_wait_for_itself_is_refused() {
    put("soon");
    assertThatThrownBy(() -> database.transact(_ -> Letters.ids(database)))
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

    assertThat(keen.join(Crowd.LIMIT)).isTrue();
    assertThat(Letters.ids(database)).hasSize(2_000);
  }

  @Test
  void closing_keeps_what_was_handed_in_and_refuses_what_comes_later() throws Exception {
    crowd.holdTheWriter();
    var expected = new ArrayList<String>();
    for (int i = 0; i < 300; i++) {
      put("letter-%03d".formatted(i));
      expected.add("letter-%03d".formatted(i));
    }
    Thread closer = Thread.ofVirtual().start(database::close);
    crowd.letTheWriterGo();
    assertThat(closer.join(Crowd.LIMIT)).isTrue();

    assertThatThrownBy(() -> put("too-late")).isInstanceOf(Fault.class);
    assertThatThrownBy(() -> Letters.ids(database)).isInstanceOf(Fault.class);
    try (var again = Database.embedded(file, InstantSource.system())) {
      assertThat(Letters.ids(again)).isEqualTo(expected);
    }
    assertThat(failures).hasSizeLessThanOrEqualTo(1);
  }

  private void put(String id) {
    database.transactDeferred(tx -> Letters.put(tx, id, "x"), failures::add);
  }
}
