package dev.substrat.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A real PostgreSQL from Maven artifacts: started on first use, once per JVM, with fsync on.
///
/// A JVM that is killed leaves its server behind; the next one finds it by its directory's name and
/// stops it.
public final class TestPostgres {
  private static final String PREFIX = "substrat-postgres-";
  private static final String PID = "postmaster.pid";
  private static final Path HOME = Path.of(System.getProperty("java.io.tmpdir"));

  private static @Nullable EmbeddedPostgres server;
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private TestPostgres() {}

  /// The address of a new, empty database.
  public static String freshDatabase() {
    return create("");
  }

  /// The address of a new copy of the database at `url`, which must not be in use meanwhile.
  public static String copyOf(String url) {
    return create(" template " + url.substring(url.lastIndexOf('/') + 1, url.lastIndexOf('?')));
  }

  private static String create(String how) {
    String name = "test_" + DATABASES.incrementAndGet();
    EmbeddedPostgres running = running();
    try (var connection = DriverManager.getConnection(url(running, "postgres"));
        var statement = connection.createStatement()) {
      statement.execute("create database " + name + how);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return url(running, name);
  }

  static String url(EmbeddedPostgres running, String database) {
    return "jdbc:postgresql://127.0.0.1:" + running.getPort() + "/" + database + "?user=postgres";
  }

  private static synchronized EmbeddedPostgres running() {
    EmbeddedPostgres ready = server;
    if (ready == null) {
      stopOrphans();
      ready = start();
      server = ready;
    }
    return ready;
  }

  private static EmbeddedPostgres start() {
    try {
      Path directory = HOME.resolve(PREFIX + ProcessHandle.current().pid());
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stopOrphan(directory)));
      return server(directory).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Commits are not durable by default; tests that need durability enable it. Autovacuum is off:
  /// with hundreds of databases it would use half a core.
  static EmbeddedPostgres.Builder server(Path directory) {
    return EmbeddedPostgres.builder()
        .setDataDirectory(directory)
        .setRegisterShutdownHook(false)
        .setCleanDataDirectory(true)
        .setServerConfig("fsync", "on")
        .setServerConfig("synchronous_commit", "off")
        .setServerConfig("full_page_writes", "on")
        .setServerConfig("autovacuum", "off")
        .setServerConfig("max_connections", "300");
  }

  /// A directory whose server is found and stopped, should this JVM be killed.
  static Path privateDirectory() {
    return HOME.resolve(PREFIX + ProcessHandle.current().pid() + "-" + DATABASES.incrementAndGet());
  }

  private static void stopOrphans() {
    try (var directories = Files.list(HOME)) {
      directories
          .filter(directory -> directory.getFileName().toString().startsWith(PREFIX))
          .filter(directory -> owner(directory).isEmpty())
          .forEach(TestPostgres::stopOrphan);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<ProcessHandle> owner(Path directory) {
    String pid = directory.getFileName().toString().substring(PREFIX.length()).split("-")[0];
    return ProcessHandle.of(Long.parseLong(pid));
  }

  /// Kills the server without a shutdown and does not wait for the deletion of its files, because
  /// the data is not needed. Another JVM may do the same at the same time.
  private static void stopOrphan(Path directory) {
    try {
      if (Files.exists(directory.resolve(PID))) {
        ProcessHandle.of(postmaster(directory))
            .filter(process -> process.info().command().orElse("").contains("postgres"))
            .ifPresent(ProcessHandle::destroyForcibly);
      }
      new ProcessBuilder("rm", "-rf", directory.toString()).start();
    } catch (IOException e) {
      System.err.println("PostgreSQL did not stop: " + e.getMessage());
    }
  }

  static long postmaster(Path directory) throws IOException {
    return Long.parseLong(Files.readAllLines(directory.resolve(PID)).getFirst().strip());
  }

  static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
