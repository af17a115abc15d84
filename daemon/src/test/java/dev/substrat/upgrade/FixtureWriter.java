package dev.substrat.upgrade;

import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/// Writes the fixture databases of the current schema version, one for each engine: `sqlite.db.gz`
/// and `postgres.sql.gz` in `src/test/resources/upgrade/vNN`.
///
/// Run its `main` in the directory `daemon`, with the class path of the tests, before a migration
/// changes the schema that a release has. It refuses to overwrite a fixture: a fixture is what the
/// code of its time wrote.
///
/// [UpgradeTest] finds every version by its directory.
final class FixtureWriter {
  private FixtureWriter() {}

  public static void main(String... args) throws Exception {
    for (Dialect dialect : Dialect.values()) {
      try (var place = TestDatabase.fresh(dialect);
          var scenario = new FixtureScenario(place)) {
        scenario.run();
        write(place);
      }
    }
    // Turns that were left asleep hold threads of their own.
    System.exit(0);
  }

  private static void write(TestDatabase place) throws SQLException, IOException {
    String address = place.url().orElseGet(() -> "jdbc:sqlite:" + place.file());
    try (var connection = DriverManager.getConnection(address)) {
      Path file = Fixture.file(SqlDump.version(connection), place.dialect());
      if (Files.exists(file)) {
        throw new IllegalStateException(file + " exists; a fixture is written once");
      }
      Fixture.write(
          file,
          switch (place.dialect()) {
            case SQLITE -> snapshot(place.file(), connection);
            case POSTGRES -> SqlDump.of(connection).getBytes(StandardCharsets.UTF_8);
          });
    }
  }

  private static byte[] snapshot(Path database, Connection connection)
      throws SQLException, IOException {
    Path copy = database.resolveSibling("copy.db");
    try (var statement = connection.createStatement()) {
      // One transaction: the state that a daemon killed at this moment would leave, without free
      // pages.
      statement.execute("vacuum into '" + copy + "'");
    }
    return Files.readAllBytes(copy);
  }
}
