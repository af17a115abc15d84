package dev.substrat.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.testkit.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A mistyped `--db` is reported soon, and passwords are not logged.
final class UnreachablePostgresTest {
  private static final Duration SOON = Duration.ofSeconds(45);

  @Test
  void a_refused_connection_to_postgres_is_reported() throws Exception {
    String url =
        "jdbc:postgresql://127.0.0.1:" + unusedPort() + "/substrat?user=me&password=s3cret";

    assertThat(refusal(url).code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE);
  }

  @Test
  void a_silent_server_is_reported() throws Exception {
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String url =
          "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/x?user=me&password=s3cret";

      assertThat(refusal(url).code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE);
    }
  }

  /// Otherwise a caller would wait as long as the kernel does: for hours.
  @Test
  void a_server_that_disappears_times_out() throws Exception {
    var login = new Properties();
    login.putAll(PostgresDatabase.login());

    try (var connection = DriverManager.getConnection(TestPostgres.freshDatabase(), login)) {
      assertThat(connection.getNetworkTimeout()).isBetween(1, 60_000);
    }
  }

  @Test
  void an_unknown_database_is_reported() {
    String url = TestPostgres.freshDatabase().replaceFirst("/test_[0-9]+", "/nowhere");

    Fault refusal = refusal(url);
    assertThat(refusal.code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE);
    assertThat(refusal.message()).contains("nowhere");
    assertThat(refusal.hint()).contains("database name");
  }

  @Test
  void an_unknown_user_is_reported() {
    String url =
        TestPostgres.freshDatabase().replace("user=postgres", "user=nobody&password=s3cret");

    Fault refusal = refusal(url);
    assertThat(refusal.code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE);
    assertThat(refusal.hint()).contains("user, password");
  }

  @Test
  void a_user_without_create_permission_is_reported() throws Exception {
    String url = TestPostgres.freshDatabase();
    execute(url, "create role guest login");
    try {
      Fault refusal = refusal(url.replace("user=postgres", "user=guest"));
      assertThat(refusal.code()).isEqualTo(ErrorCode.DATABASE_READ_ONLY);
      assertThat(refusal.hint()).contains("owner");
    } finally {
      execute(url, "drop role guest");
    }
  }

  @Test
  void a_database_with_foreign_tables_of_our_names_is_rejected() throws Exception {
    String url = TestPostgres.freshDatabase();
    execute(url, "create table message (id text)");

    assertThat(refusal(url).code()).isEqualTo(ErrorCode.DATABASE_FOREIGN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense",
        "postgres://me:s3cret@localhost/x",
        "jdbc:sqlite:substrat.db?password=s3cret",
        "jdbc:postgresql:substrat",
        "jdbc:postgresql://localhost:port/x?password=s3cret",
        "jdbc:postgresql://localhost:99999/x?password=s3cret",
      })
  void an_invalid_database_url_is_rejected(String url) {
    Fault refusal = refusal(url);
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
    assertThat(refusal.hint()).contains("for example jdbc:postgresql://");
  }

  /// For example, every daemon needs the lock of the event counter.
  @Test
  void a_frozen_transaction_does_not_block_other_daemons_forever() throws Exception {
    assumeThat(Boolean.getBoolean("substrat.full")).as("it takes half a minute").isTrue();
    String url = TestPostgres.freshDatabase();
    var frozen = Database.shared(url, InstantSource.system());
    try (var database = Database.shared(url, InstantSource.system());
        var crowd = new ConcurrentCallers(frozen)) {
      var held = new CountDownLatch(1);
      var thawed = new CountDownLatch(1);
      var stuck =
          crowd.call(tx -> {
            tx.update("update event_counter set last = last");
            held.countDown();
            TestRows.await(thawed);
            return tx.update("update event_counter set last = last + 1");
          });
      TestRows.await(held);

      assertThat(database.<Integer>transact(tx -> tx.update("update event_counter set last = 7")))
          .isEqualTo(1);
      thawed.countDown();
      assertThatThrownBy(stuck::outcome)
          .isInstanceOfSatisfying(
              Fault.class,
              fault -> assertThat(fault.code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE));
      assertThat(database.<Long>read(tx -> tx.number("select last as n from event_counter")))
          .isEqualTo(7);
    } finally {
      frozen.close();
    }
  }

  private static Fault refusal(String url) {
    long start = System.nanoTime();
    try (var unexpected = Database.shared(url, InstantSource.system())) {
      throw new AssertionError("opened " + unexpected);
    } catch (Fault fault) {
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
      assertThat(fault.message() + fault.hint()).doesNotContain("s3cret");
      return fault;
    }
  }

  private static int unusedPort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static void execute(String url, String sql) throws SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
