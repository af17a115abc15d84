package dev.substrat.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The check of the database file after an unclean shutdown.
@Timeout(300)
final class SqliteIntegrityCheckTest {
  @TempDir private Path directory;
  private Path file = Path.of("");
  private Path marker = Path.of("");

  @BeforeEach
  void create() {
    file = directory.resolve("substrat.db");
    marker = directory.resolve("substrat.db-unchecked");
    Database.embedded(file, InstantSource.system()).close();
  }

  @Test
  void a_check_is_due_only_after_an_unclean_shutdown() throws Exception {
    assertThat(SqliteIntegrityCheck.isDue(file)).isFalse();
    try (var database = Database.embedded(file, InstantSource.system())) {
      TestRows.put(database, "first", "x");
      assertThat(SqliteIntegrityCheck.isDue(file)).as("as a killed process leaves it").isTrue();
    }
    assertThat(SqliteIntegrityCheck.isDue(file)).isFalse();
    Files.createFile(marker);
    assertThat(SqliteIntegrityCheck.isDue(file)).isTrue();
  }

  @Test
  void until_the_check_is_done_the_database_is_being_checked() {
    var gate = new CountDownLatch(1);
    try (var integrity =
        new SqliteIntegrityCheck(
            file,
            true,
            () -> {
              TestRows.await(gate);
              return DriverManager.getConnection("jdbc:sqlite:" + file);
            })) {
      assertThat(integrity.problem().map(Fault::code)).contains(ErrorCode.DATABASE_CHECKING);
      assertThat(marker).exists();
      gate.countDown();
      Await.until(() -> integrity.problem().isEmpty());
      Await.until(() -> !Files.exists(marker));
    }
  }

  @Test
  void a_check_that_was_cancelled_by_a_stop_is_still_due() {
    var gate = new CountDownLatch(1);
    var integrity =
        new SqliteIntegrityCheck(
            file,
            true,
            () -> {
              TestRows.await(gate);
              return DriverManager.getConnection("jdbc:sqlite:" + file);
            });
    var closing = Thread.ofVirtual().start(integrity::close);
    Await.until(() -> closing.getState() == Thread.State.WAITING);
    gate.countDown();
    Await.until(() -> !closing.isAlive());
    assertThat(SqliteIntegrityCheck.isDue(file)).isTrue();
  }

  @Test
  void damage_that_a_query_finds_is_remembered_for_the_next_start() {
    try (var integrity =
        new SqliteIntegrityCheck(
            file, false, () -> DriverManager.getConnection("jdbc:sqlite:" + file))) {
      assertThat(integrity.problem()).isEmpty();
      integrity.damaged("a page");
      assertThat(integrity.problem().map(Fault::code)).contains(ErrorCode.DATABASE_CORRUPT);
    }
    assertThat(SqliteIntegrityCheck.isDue(file)).isTrue();
  }
}
