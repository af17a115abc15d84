package dev.substrat.store;

import dev.substrat.platform.log.Log;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// The single writer of SQLite: commits all queued transactions with one fsync.
///
/// While one batch is written to disk the next one gathers ([WriteQueue]), so no transaction waits
/// for a timer and a single caller pays exactly one fsync. A transaction that fails is rolled back
/// alone: if it has changed nothing there is nothing to undo; otherwise the batch runs again, each
/// transaction in its own savepoint. Savepoints are not used from the start, because each copies
/// all pages that it may have to restore, and failures are rare. If the whole batch fails (for
/// example on a full disk), each transaction is retried alone, so only the one that does not fit
/// fails.
///
/// The connection belongs to the writer's thread, a platform thread because SQLite's native calls
/// would pin a virtual one.
final class GroupCommit implements AutoCloseable {
  private static final Log LOG = Log.of(GroupCommit.class);

  /// Maximum delay of a transaction without a waiting caller: longer than a quick server takes, so
  /// that the answer is committed together with the question.
  private static final Duration MAX_IDLE_TIME = Duration.ofMillis(2);

  private final Connection connection;
  private final StatementCache statements;
  private final TableWriteCounters changes = new TableWriteCounters();
  private final WriteQueue queue;
  private final Thread writer;

  GroupCommit(Connection connection) {
    this(connection, MAX_IDLE_TIME);
  }

  GroupCommit(Connection connection, Duration longestRest) {
    this.connection = connection;
    this.queue = new WriteQueue(longestRest);
    this.statements = StatementCache.kept(connection);
    this.writer = Thread.ofPlatform().name("sqlite-writer").start(this::work);
  }

  <T> T transact(Database.TransactionBody<T> work) {
    Tx.requireOutermost();
    var job = new WriteJob<T>(work);
    queue.add(job);
    return job.await();
  }

  /// See [Database#transactSoon]. Blocks if the caller submits more than the disk can take.
  void transactSoon(Database.TransactionBody<?> work, Consumer<Throwable> failed) {
    Tx.requireOutermost();
    queue.addSoon(new WriteJob<>(work, failed));
  }

  /// Until all that was handed in to be done soon can be read.
  void catchUp() {
    Tx.requireOutermost();
    if (Thread.currentThread().equals(writer)) {
      throw new IllegalStateException("after-commit actions cannot read from the database");
    }
    queue.catchUp();
  }

  /// See [Database#changes].
  long changes(Set<String> tables) {
    return changes.of(tables);
  }

  /// Number of transactions that wait for the writer.
  int queued() {
    return queue.size();
  }

  private void work() {
    var batch = new ArrayList<WriteJob<?>>();
    try {
      while (queue.take(batch)) {
        commitOrFail(batch);
        batch.clear();
      }
    } finally {
      queue.abandon();
      closeConnection();
      batch.forEach(job -> job.fail(UninterruptibleWait.stopping(null)));
    }
  }

  private void commitOrFail(List<WriteJob<?>> batch) {
    try {
      commit(batch);
    } catch (RuntimeException | Error e) {
      // Not a failure of the work, which is reported to its caller; the writer continues.
      undo();
      batch.forEach(job -> job.fail(e));
      LOG.error("the writer thread failed", e);
    }
  }

  private void commit(List<WriteJob<?>> batch) {
    try {
      statements.execute("begin immediate");
    } catch (SQLException refused) {
      // The reason applies to all; waiting for the lock again for each would only add up.
      undo();
      batch.forEach(job -> job.failBecause(refused));
      return;
    }
    try {
      runAll(batch);
    } catch (SQLException broken) {
      undo();
      commitOneByOne(batch, broken);
      return;
    }
    // First, so that no reader uses outdated cache entries from now on.
    batch.forEach(job -> changes.committed(job.changing()));
    ring(batch);
    batch.forEach(WriteJob::answer);
  }

  private void runAll(List<WriteJob<?>> batch) throws SQLException {
    if (batch.size() == 1) {
      batch.getFirst().run(new Tx(statements, Dialect.SQLITE));
      statements.execute(batch.getFirst().hasFailed() ? "rollback" : "commit");
      return;
    }
    if (!runTogether(batch)) {
      // Fails if SQLite has already rolled back the whole batch; then each transaction is retried
      // alone.
      statements.execute("rollback");
      statements.execute("begin immediate");
      for (WriteJob<?> job : batch) {
        job.forget();
        runInSavepoint(job);
      }
    }
    statements.execute("commit");
  }

  /// False, without running the rest, if a transaction failed after it changed something.
  private boolean runTogether(List<WriteJob<?>> batch) {
    for (WriteJob<?> job : batch) {
      var tx = new Tx(statements, Dialect.SQLITE);
      job.run(tx);
      if (job.hasFailed() && tx.mayHaveChanged()) {
        return false;
      }
    }
    return true;
  }

  private void runInSavepoint(WriteJob<?> job) throws SQLException {
    statements.execute("savepoint job");
    job.run(new Tx(statements, Dialect.SQLITE));
    if (job.hasFailed()) {
      // Fails if SQLite has already rolled back the whole batch; then each transaction is retried
      // alone.
      statements.execute("rollback to job");
    }
    statements.execute("release job");
  }

  private void commitOneByOne(List<WriteJob<?>> batch, SQLException broken) {
    if (batch.size() == 1) {
      batch.getFirst().failBecause(broken);
      return;
    }
    LOG.warn(
        "batch failed, retrying each transaction alone", "size", batch.size(), "reason", broken);
    for (WriteJob<?> job : List.copyOf(batch)) {
      job.forget();
      commit(List.of(job));
    }
  }

  private void undo() {
    try {
      statements.execute("rollback");
    } catch (SQLException alreadyUndone) {
      LOG.debug("nothing to roll back", "reason", alreadyUndone.getMessage());
    }
  }

  /// Many transactions of a batch have the same signal; once is enough.
  private static void ring(List<WriteJob<?>> batch) {
    var actions = new LinkedHashSet<Runnable>();
    batch.forEach(job -> actions.addAll(job.afterCommit()));
    Tx.runAfterCommit(actions);
  }

  /// Commits the queued work, rejects later work, and releases the connection.
  @Override
  public void close() {
    queue.close();
    UninterruptibleWait.join(writer);
  }

  private void closeConnection() {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.warn("closing the database failed", "reason", e.getMessage());
    }
  }
}
