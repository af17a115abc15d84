package dev.substrat.store;

import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Integrity check of the SQLite file after an unclean shutdown: `pragma quick_check`, once, in the
/// background.
///
/// The last connection to a file deletes its write-ahead log. A log that is there before the file
/// is opened was left by a process that died. A marker file beside the database says that a check
/// is due or has failed; it is deleted when a check succeeds, so neither a restart during the check
/// nor a restart after a failed one is mistaken for a sound database.
///
/// Safe for many threads.
final class SqliteIntegrityCheck implements AutoCloseable {
  private static final Log LOG = Log.of(SqliteIntegrityCheck.class);
  private static final Duration RETRY = Duration.ofSeconds(5);

  private enum IntegrityState {
    CHECKING,
    SOUND,
    DAMAGED
  }

  private final Path marker;
  private final SnapshotReaderPool.ConnectionFactory connector;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final @Nullable Thread thread;
  private volatile IntegrityState state;

  /// The running check, to be cancelled.
  private volatile @Nullable Statement statement;

  /// `isDue` is what [#isDue] said before the file was opened.
  SqliteIntegrityCheck(Path file, boolean isDue, SnapshotReaderPool.ConnectionFactory connector) {
    this.marker = marker(file);
    this.connector = connector;
    this.state = isDue ? IntegrityState.CHECKING : IntegrityState.SOUND;
    if (isDue) {
      mark();
    }
    // A native call pins the carrier of a virtual thread, and this one may take minutes.
    this.thread =
        isDue
            ? Thread.ofPlatform().name("sqlite-check").daemon().start(this::checkUntilDone)
            : null;
  }

  /// Whether the last process that had `file` open died, or its check is unfinished or failed.
  /// Asked before the file is opened.
  static boolean isDue(Path file) {
    return Files.exists(marker(file)) || SqliteDatabase.size(SqliteDatabase.log(file)) > 0;
  }

  private static Path marker(Path file) {
    return file.resolveSibling(file.getFileName() + "-unchecked");
  }

  private void mark() {
    try {
      if (!Files.exists(marker)) {
        Files.createFile(marker);
      }
    } catch (IOException e) {
      LOG.warn("cannot mark the database as unchecked", "reason", e.getMessage());
    }
  }

  private void checkUntilDone() {
    try {
      while (!check() && !closing.await(RETRY.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.debug("checking the database again");
      }
    } catch (InterruptedException e) {
      // Nothing interrupts this thread; the marker stays.
      Thread.currentThread().interrupt();
    }
  }

  /// True if the result is known.
  private boolean check() {
    long start = System.nanoTime();
    try (var connection = connector.connect();
        var query = connection.createStatement()) {
      statement = query;
      if (closing.getCount() == 0) {
        return false;
      }
      try (var result = query.executeQuery("pragma quick_check(1)")) {
        String found = result.next() ? result.getString(1) : "no result";
        if (!found.equals("ok")) {
          damaged(found);
          return true;
        }
      }
      sound(Duration.ofNanos(System.nanoTime() - start));
      return true;
    } catch (SQLException e) {
      return failed(e);
    } finally {
      statement = null;
    }
  }

  private boolean failed(SQLException reason) {
    if (closing.getCount() == 0) {
      return false;
    }
    if (SqliteFaults.of(reason).code() == ErrorCode.DATABASE_CORRUPT) {
      damaged(String.valueOf(reason.getMessage()));
      return true;
    }
    LOG.warn("the check of the database failed, will retry", "reason", reason.getMessage());
    return false;
  }

  private void sound(Duration took) {
    synchronized (marker) {
      if (state == IntegrityState.DAMAGED) {
        return;
      }
      state = IntegrityState.SOUND;
      try {
        Files.deleteIfExists(marker);
      } catch (IOException e) {
        LOG.warn("the next start will check the database again", "reason", e.getMessage());
      }
    }
    LOG.info("database checked after an unclean shutdown", "millis", took.toMillis());
  }

  /// Also called for damage that a query found: the next start checks the whole file.
  void damaged(String detail) {
    synchronized (marker) {
      if (state == IntegrityState.DAMAGED) {
        return;
      }
      state = IntegrityState.DAMAGED;
      mark();
    }
    LOG.warn("the database is damaged", "detail", detail.lines().findFirst().orElse(""));
  }

  /// Why the file is not known to be sound.
  Optional<Fault> problem() {
    return switch (state) {
      case SOUND -> Optional.empty();
      case CHECKING ->
          Optional.of(
              new Fault(
                  ErrorCode.DATABASE_CHECKING,
                  "the database is being checked after an unclean shutdown",
                  "wait until the check is done"));
      case DAMAGED ->
          Optional.of(
              new Fault(
                  ErrorCode.DATABASE_CORRUPT,
                  "the database file is damaged",
                  "stop the daemon, keep the file, then restore a backup"));
    };
  }

  /// Cancels a running check; the next start repeats it.
  @Override
  public void close() {
    closing.countDown();
    Statement running = statement;
    if (running != null) {
      try {
        running.cancel();
      } catch (SQLException e) {
        LOG.debug("the check had already ended", "reason", e.getMessage());
      }
    }
    if (thread != null) {
      UninterruptibleWait.join(thread);
    }
  }
}
