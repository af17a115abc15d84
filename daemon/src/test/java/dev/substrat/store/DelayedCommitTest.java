package dev.substrat.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Delayed transactions without a waiting caller, and what ends the delay.
@Timeout(300)
final class DelayedCommitTest {
  private static final Duration FOR_EVER = Duration.ofDays(1);

  @TempDir private Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void create() throws SQLException {
    file = directory.resolve("rest.db");
    try (Connection connection = connect();
        var statement = connection.createStatement()) {
      statement.execute("pragma journal_mode = wal");
      statement.execute("create table note (text text)");
    }
  }

  @Test
  void a_deferred_transaction_is_committed_with_an_awaited_one() throws Exception {
    try (var writer = new GroupCommit(connect(), FOR_EVER)) {
      writer.transact(tx -> note(tx, "before"));
      int before = WalFile.commits(file);
      writer.transactSoon(tx -> note(tx, "soon"), DelayedCommitTest::unexpected);

      writer.transact(tx -> note(tx, "now"));

      assertThat(WalFile.commits(file) - before).isEqualTo(1);
      assertThat(notes()).isEqualTo(3);
    }
  }

  @Test
  void a_read_commits_deferred_transactions_first() throws SQLException {
    try (var writer = new GroupCommit(connect(), FOR_EVER)) {
      writer.transactSoon(tx -> note(tx, "soon"), DelayedCommitTest::unexpected);

      writer.catchUp();

      assertThat(notes()).isEqualTo(1);
    }
  }

  @Test
  void closing_commits_deferred_transactions() throws SQLException {
    try (var writer = new GroupCommit(connect(), FOR_EVER)) {
      writer.transactSoon(tx -> note(tx, "soon"), DelayedCommitTest::unexpected);
    }

    assertThat(notes()).isEqualTo(1);
  }

  @Test
  void a_deferred_transaction_is_committed_after_its_delay() throws Exception {
    try (var writer = new GroupCommit(connect(), Duration.ofMillis(1))) {
      var kept = new CountDownLatch(1);
      writer.transactSoon(
          tx -> {
            tx.afterCommit(kept::countDown);
            return note(tx, "soon");
          },
          DelayedCommitTest::unexpected);

      kept.await();

      assertThat(notes()).isEqualTo(1);
    }
  }

  private static int note(Tx tx, String text) {
    return tx.update("insert into note (text) values (?)", text);
  }

  private static void unexpected(Throwable failure) {
    throw new AssertionError(failure);
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file.toUri());
  }

  private int notes() throws SQLException {
    try (Connection connection = connect();
        var statement = connection.createStatement();
        var result = statement.executeQuery("select count(*) from note")) {
      return result.getInt(1);
    }
  }
}
