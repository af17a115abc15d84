package dev.substrat.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Place for one new database; whatever is opened in it is closed with it.
public final class TestDatabase implements AutoCloseable {
  private final Dialect dialect;
  private final Path directory;
  private final Optional<String> url;
  private final List<Database> open = new ArrayList<>();
  private boolean closed;

  private TestDatabase(Dialect dialect, Path directory, Optional<String> url) {
    this.dialect = dialect;
    this.directory = directory;
    this.url = url;
  }

  /// A new one, on the current schema.
  public static TestDatabase fresh(Dialect dialect) {
    try {
      Path directory = Files.createTempDirectory("substrat-test-");
      return switch (dialect) {
        case SQLITE -> {
          var fresh = new TestDatabase(dialect, directory, Optional.empty());
          Files.write(fresh.file(), TemplateDatabases.file());
          yield fresh;
        }
        case POSTGRES ->
            new TestDatabase(dialect, directory, Optional.of(PostgresDatabasePool.take()));
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Opens it, once more if it is open already (on PostgreSQL: as another daemon would).
  public Database open() {
    Database database =
        url.isPresent()
            ? Database.shared(url.get(), InstantSource.system())
            : Database.embedded(file(), InstantSource.system());
    open.add(database);
    return database;
  }

  public Dialect dialect() {
    return dialect;
  }

  public Path directory() {
    return directory;
  }

  public Path file() {
    return directory.resolve("substrat.db");
  }

  /// The PostgreSQL address, for `--db`; none means embedded.
  public Optional<String> url() {
    return url;
  }

  @Override
  public void close() throws IOException {
    open.forEach(Database::close);
    if (!closed) {
      closed = true;
      url.ifPresent(PostgresDatabasePool::giveBack);
    }
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  @Override
  public String toString() {
    return dialect.name().toLowerCase(java.util.Locale.ROOT);
  }
}
