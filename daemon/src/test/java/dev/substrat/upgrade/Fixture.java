package dev.substrat.upgrade;

import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.testkit.TestPostgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/// A database as an earlier version of the schema left it, written by [FixtureWriter].
record Fixture(int version, Dialect dialect) {
  private static final Path RESOURCES = Path.of("src/test/resources/upgrade");

  /// Every version that was kept, on each engine.
  static List<Fixture> all() {
    try (Stream<Path> entries = Files.list(RESOURCES)) {
      return entries
          .map(entry -> entry.getFileName().toString())
          .filter(name -> name.matches("v\\d+"))
          .map(name -> Integer.parseInt(name.substring(1)))
          .sorted()
          .flatMap(
              version -> Stream.of(Dialect.values()).map(dialect -> new Fixture(version, dialect)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path file(int version, Dialect dialect) {
    return RESOURCES
        .resolve("v" + version)
        .resolve(
            switch (dialect) {
              case SQLITE -> "sqlite.db.gz";
              case POSTGRES -> "postgres.sql.gz";
            });
  }

  static void write(Path file, byte[] content) throws IOException {
    Files.createDirectories(file.getParent());
    try (var out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(content);
    }
  }

  /// A copy that is not migrated yet.
  Copy copy() throws IOException, SQLException {
    Path directory = Files.createTempDirectory("substrat-upgrade-");
    byte[] content = content();
    return switch (dialect) {
      case SQLITE -> {
        Files.write(directory.resolve("substrat.db"), content);
        yield new Copy(directory, Optional.empty());
      }
      case POSTGRES -> {
        String url = TestPostgres.freshDatabase();
        try (var connection = DriverManager.getConnection(url)) {
          SqlDump.restore(new String(content, StandardCharsets.UTF_8), connection);
        }
        yield new Copy(directory, Optional.of(url));
      }
    };
  }

  private byte[] content() throws IOException {
    try (var in = new GZIPInputStream(Files.newInputStream(file(version, dialect)));
        var out = new ByteArrayOutputStream()) {
      in.transferTo(out);
      return out.toByteArray();
    }
  }

  @Override
  public String toString() {
    return "v" + version + " on " + dialect.name().toLowerCase(java.util.Locale.ROOT);
  }

  /// A data directory with the database, and the URL of a database outside of it.
  record Copy(Path directory, Optional<String> url) implements AutoCloseable {

    /// As it is, without a migration.
    Connection connect() throws SQLException {
      return DriverManager.getConnection(
          url.orElseGet(() -> "jdbc:sqlite:" + directory.resolve("substrat.db")));
    }

    /// Migrates it to the current schema.
    Database migrate(InstantSource clock) {
      return url.map(address -> Database.shared(address, clock))
          .orElseGet(() -> Database.embedded(directory.resolve("substrat.db"), clock));
    }

    @Override
    public void close() throws IOException {
      try (var files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }
}
