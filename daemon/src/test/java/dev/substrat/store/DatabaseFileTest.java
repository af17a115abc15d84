package dev.substrat.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Database files that are damaged or foreign are reported and not changed.
final class DatabaseFileTest {
  private static final int PAGE = 4096;

  @TempDir private Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void name() {
    file = directory.resolve("substrat.db");
  }

  @Test
  void a_locked_database_fails_fast_and_recovers() throws Exception {
    try (var database = open();
        var crowd = new ConcurrentCallers(database);
        var other = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = other.createStatement()) {
      statement.execute("begin exclusive");
      long start = System.nanoTime();
      var callers = new ArrayList<ConcurrentCallers.Caller<Integer>>();
      for (int i = 0; i < 20; i++) {
        String id = "letter-" + i;
        callers.add(crowd.call(tx -> TestRows.put(tx, id, "x")));
      }
      for (var caller : callers) {
        assertThatFault(caller::outcome, ErrorCode.DATABASE_LOCKED);
      }
      // Each waits ten seconds for the lock, together, not one after the other.
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(60));
      statement.execute("rollback");

      assertThat(TestRows.put(database, "afterwards", "x")).isEqualTo(1);
      assertThat(TestRows.ids(database)).containsExactly("afterwards");
    }
  }

  @Test
  void a_file_that_is_not_a_database_is_not_changed() throws Exception {
    byte[] garbage = new byte[25 * PAGE];
    new Random(7).nextBytes(garbage);
    Files.write(file, garbage);

    assertThatFault(this::open, ErrorCode.DATABASE_CORRUPT);
    assertThat(Files.readAllBytes(file)).isEqualTo(garbage);
  }

  @Test
  void damaged_pages_are_reported_and_not_changed() throws Exception {
    try (var database = open()) {
      for (int i = 0; i < 200; i++) {
        TestRows.put(database, "letter-" + i, "x".repeat(2_000));
      }
    }
    // The rows are at the end; the schema, which is read first, is not touched.
    overwrite((int) Files.size(file) - 40 * PAGE, 40 * PAGE);
    byte[] damaged = Files.readAllBytes(file);

    try (var database = open()) {
      assertThatFault(
          () -> database.read(tx -> tx.number("select sum(length(hash)) as n from credential")),
          ErrorCode.DATABASE_CORRUPT);
      assertThatFault(
          () -> database.transact(tx -> tx.update("update credential set hash = 'y'")),
          ErrorCode.DATABASE_CORRUPT);
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
  }

  @Test
  void a_damaged_schema_is_named_when_opening() throws Exception {
    open().close();
    overwrite(100, 2 * PAGE);
    byte[] damaged = Files.readAllBytes(file);

    assertThatFault(this::open, ErrorCode.DATABASE_CORRUPT);
    assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
  }

  private void overwrite(int from, int length) throws Exception {
    byte[] garbage = new byte[length];
    new Random(7).nextBytes(garbage);
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(garbage), from);
    }
  }

  @Test
  void a_database_of_another_program_is_not_changed() throws Exception {
    execute("create table bookmark (url text)");
    byte[] theirs = Files.readAllBytes(file);

    assertThatFault(this::open, ErrorCode.DATABASE_FOREIGN);
    assertThat(Files.readAllBytes(file)).isEqualTo(theirs);
    assertThat(directory).isDirectoryNotContaining("glob:**-wal");
  }

  @Test
  void an_empty_database_with_another_application_id_is_not_changed() throws Exception {
    execute("pragma application_id = 42");
    byte[] theirs = Files.readAllBytes(file);

    assertThatFault(this::open, ErrorCode.DATABASE_FOREIGN);
    assertThat(Files.readAllBytes(file)).isEqualTo(theirs);
  }

  @Test
  void an_empty_file_becomes_a_database() throws Exception {
    Files.createFile(file);
    try (var database = open()) {
      assertThat(TestRows.put(database, "first", "x")).isEqualTo(1);
    }
  }

  @Test
  void a_path_with_url_characters_is_opened() throws Exception {
    file = Files.createDirectory(directory.resolve("50% off?mode=memory&a=b #1")).resolve("s.db");
    try (var database = open()) {
      TestRows.put(database, "first", "x");
    }
    assertThat(file).isNotEmptyFile();
    try (var database = open()) {
      assertThat(TestRows.ids(database)).containsExactly("first");
    }
  }

  private void execute(String sql) throws SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private Database open() {
    return Database.embedded(file, InstantSource.system());
  }

  private static void assertThatFault(ThrowingCallable work, ErrorCode code) {
    assertThatThrownBy(work)
        .isInstanceOfSatisfying(
            Fault.class,
            fault -> {
              assertThat(fault.code()).isEqualTo(code);
              assertThat(fault.hint()).isNotBlank();
            });
  }
}
