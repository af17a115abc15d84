package dev.substrat.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A database whose last write failed has a problem until a write succeeds.
final class WriteHealthTest {
  private static final String TEXT = "x".repeat(10_000);

  @TempDir private Path directory;

  @Test
  void a_full_database_has_a_problem_until_it_has_room_again() {
    try (var database =
        Database.embedded(directory.resolve("substrat.db"), InstantSource.system())) {
      assertThat(database.problems()).isEmpty();
      long pages = pragma(database, "pragma page_count");
      pragma(database, "pragma max_page_count = " + (pages + 20));
      assertThat(putUntilRefused(database)).isEqualTo(ErrorCode.DISK_FULL);

      assertThat(codes(database)).containsExactly(ErrorCode.DISK_FULL);
      database.transact(tx -> tx.number("select count(*) as n from credential"));
      assertThat(codes(database))
          .as("a transaction that changes nothing proves nothing")
          .containsExactly(ErrorCode.DISK_FULL);

      pragma(database, "pragma max_page_count = " + (pages + 10_000));
      assertThat(database.problems()).as("it is written to, to find out").isEmpty();
      assertThat(
              database.<Long>read(tx -> tx.number("select min(version) as n from schema_version")))
          .as("the write leaves nothing behind")
          .isEqualTo(1);
    }
  }

  private static ErrorCode putUntilRefused(Database database) {
    for (int i = 0; i < 100; i++) {
      try {
        TestRows.put(database, "letter-" + i, TEXT);
      } catch (Fault fault) {
        return fault.code();
      }
    }
    throw new AssertionError("the database never got full");
  }

  private static List<ErrorCode> codes(Database database) {
    return database.problems().stream().map(Fault::code).toList();
  }

  /// On the writer's connection, which the limit belongs to.
  private static long pragma(Database database, String pragma) {
    return database.transact(
        tx -> tx.list(pragma, row -> row.number(pragma.split("[ =]")[1])).getFirst());
  }
}
