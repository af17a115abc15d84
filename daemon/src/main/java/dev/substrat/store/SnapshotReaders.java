package dev.substrat.store;

import dev.substrat.fault.Fault;
import dev.substrat.log.Log;
import dev.substrat.protocol.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

/// SQLite's readers: a few platform threads, each query on a snapshot that no writer disturbs.
///
/// Platform threads, because a native call pins the carrier of a virtual thread and four slow
/// queries would stop everything else in the daemon.
final class SnapshotReaders implements AutoCloseable {
  private static final Log LOG = Log.of(SnapshotReaders.class);
  private static final int THREADS = Math.max(2, Runtime.getRuntime().availableProcessors());

  private final Connector connector;
  private final Queue<Reader> idle = new ConcurrentLinkedQueue<>();
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          THREADS, Thread.ofPlatform().name("sqlite-reader-", 0).factory());

  SnapshotReaders(Connector connector) {
    this.connector = connector;
  }

  <T> T read(Database.Work<T> work) {
    Future<T> result;
    try {
      result = threads.submit(() -> inSnapshot(work));
    } catch (RejectedExecutionException e) {
      throw new Fault(ErrorCode.STOPPING, "the daemon is stopping", "try again later", e);
    }
    return await(result);
  }

  private <T> T inSnapshot(Database.Work<T> work) throws SQLException {
    Reader polled = idle.poll();
    Reader reader = polled == null ? new Reader(connector.connect()) : polled;
    try {
      return reader.read(work);
    } finally {
      idle.add(reader);
    }
  }

  private static <T> T await(Future<T> result) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return result.get();
        } catch (InterruptedException e) {
          // A read is short; finishing it is simpler than leaving a connection in the middle.
          interrupted = true;
        } catch (ExecutionException e) {
          throw known(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException known(ExecutionException e) {
    return switch (e.getCause()) {
      case StoreFailure failure -> SqliteFaults.of(failure.reason());
      case SQLException reason -> SqliteFaults.of(reason);
      case RuntimeException other -> other;
      case null, default -> new IllegalStateException(e);
    };
  }

  @Override
  public void close() {
    threads.close();
    for (Reader reader : idle) {
      try {
        reader.connection.close();
      } catch (SQLException e) {
        LOG.warn("closing a reader failed", "reason", e.getMessage());
      }
    }
  }

  interface Connector {
    Connection connect() throws SQLException;
  }

  /// One connection with its prepared statements; used by one thread at a time.
  private static final class Reader {
    private final Connection connection;
    private final Statements statements;

    Reader(Connection connection) {
      this.connection = connection;
      this.statements = Statements.kept(connection);
    }

    <T> T read(Database.Work<T> work) throws SQLException {
      statements.prepare("begin").execute();
      try {
        return work.in(new Tx(statements, Dialect.SQLITE));
      } finally {
        statements.prepare("rollback").execute();
      }
    }
  }
}
