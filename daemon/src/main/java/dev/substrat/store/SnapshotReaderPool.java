package dev.substrat.store;

import dev.substrat.platform.log.Log;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Reader pool of SQLite: a few platform threads, each query on a snapshot that no writer disturbs.
///
/// Platform threads, because a native call pins the carrier of a virtual thread and four slow
/// queries would block the whole daemon.
final class SnapshotReaderPool implements AutoCloseable {
  private static final Log LOG = Log.of(SnapshotReaderPool.class);
  private static final int THREADS = Math.max(2, Runtime.getRuntime().availableProcessors());

  private final ConnectionFactory connector;

  /// The most recently used one first: its page cache is most likely still valid, while a reader
  /// that finds another database state drops its cache.
  private final Deque<ReaderConnection> idle = new ConcurrentLinkedDeque<>();

  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          THREADS, Thread.ofPlatform().name("sqlite-reader-", 0).factory());

  SnapshotReaderPool(ConnectionFactory connector) {
    this.connector = connector;
  }

  <T> T read(Database.TransactionBody<T> work) {
    Tx.requireOutermost();
    return UninterruptibleWait.call(threads, () -> inSnapshot(work));
  }

  /// On the caller's thread. It pins the carrier of a virtual thread only briefly.
  <T> T glance(Database.TransactionBody<T> work) {
    Tx.requireOutermost();
    if (threads.isShutdown()) {
      throw UninterruptibleWait.stopping(null);
    }
    return inSnapshot(work);
  }

  private <T> T inSnapshot(Database.TransactionBody<T> work) {
    try {
      ReaderConnection polled = idle.pollFirst();
      ReaderConnection reader = polled == null ? new ReaderConnection(connector.connect()) : polled;
      try {
        return reader.read(work);
      } finally {
        if (reader.isUsable() && !threads.isShutdown()) {
          idle.addFirst(reader);
        } else {
          reader.close();
        }
      }
    } catch (StoreFailure e) {
      throw SqliteFaults.of(e.reason());
    } catch (SQLException reason) {
      throw SqliteFaults.of(reason);
    }
  }

  @Override
  public void close() {
    UninterruptibleWait.close(threads);
    idle.forEach(ReaderConnection::close);
  }

  interface ConnectionFactory {
    Connection connect() throws SQLException;
  }

  /// One connection with its prepared statements; used by one thread at a time.
  private static final class ReaderConnection {
    private final Connection connection;
    private final StatementCache statements;
    private boolean inTransaction;

    ReaderConnection(Connection connection) {
      this.connection = connection;
      this.statements = StatementCache.kept(connection);
    }

    <T> T read(Database.TransactionBody<T> work) throws SQLException {
      statements.execute("begin");
      inTransaction = true;
      T result;
      try {
        result = new Tx(statements, Dialect.SQLITE).perform(work);
      } catch (RuntimeException | Error e) {
        endAfter(e);
        throw e;
      }
      end();
      return result;
    }

    private void end() throws SQLException {
      statements.execute("rollback");
      inTransaction = false;
    }

    /// Some failures end the transaction by themselves; then this one fails and is not the reason.
    private void endAfter(Throwable failure) {
      try {
        end();
      } catch (SQLException e) {
        failure.addSuppressed(e);
      }
    }

    /// False if its last read failed; then it is replaced.
    boolean isUsable() {
      return !inTransaction;
    }

    void close() {
      try {
        connection.close();
      } catch (SQLException e) {
        LOG.warn("closing a reader failed", "reason", e.getMessage());
      }
    }
  }
}
