package dev.substrat.store;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.sqlite.ProgressHandler;

/// An embedded database whose reads go through one connection that counts the work of SQLite: the
/// steps of its virtual machine, which do not depend on the load of the computer. Each statement
/// counts as some steps more, so that many small ones show, too.
public final class MeteredReads implements Database {
  private static final int EVERY = 20;

  /// Threads of the daemon that read now and then, whatever is requested.
  private static final Set<String> BACKGROUND =
      Set.of("activity-minutes", "queue-gauges", "readiness");

  private final Database real;
  private final Connection connection;
  private final AtomicLong steps = new AtomicLong();
  private final Map<String, Long> bySql = new ConcurrentHashMap<>();
  private volatile String sql = "";

  public MeteredReads(Database real, Path file) {
    this.real = real;
    try {
      this.connection = DriverManager.getConnection("jdbc:sqlite:" + file);
      ProgressHandler.setHandler(
          connection,
          EVERY,
          new ProgressHandler() {
            @Override
            protected int progress() {
              count();
              return 0;
            }
          });
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void count() {
    steps.addAndGet(EVERY);
    bySql.merge(sql, (long) EVERY, Long::sum);
  }

  /// The statement with the most steps since the last call.
  public String costliest() {
    String found =
        bySql.entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(most -> most.getValue() + " steps: " + most.getKey().replaceAll("\\s+", " "))
            .orElse("");
    bySql.clear();
    return found;
  }

  /// Steps of all reads so far.
  public long steps() {
    return steps.get();
  }

  @Override
  public <T> T read(TransactionBody<T> work) {
    if (Tx.open() != null || BACKGROUND.contains(Thread.currentThread().getName())) {
      return real.read(work);
    }
    // Waits for queued writes.
    real.read(tx -> tx.exists("select 1"));
    return metered(work);
  }

  @Override
  public <T> T readByKey(TransactionBody<T> work) {
    return Tx.open() == null ? metered(work) : real.readByKey(work);
  }

  private synchronized <T> T metered(TransactionBody<T> work) {
    Tx.requireOutermost();
    try {
      connection.setAutoCommit(false);
      try {
        return new Tx(new CountingStatements(), Dialect.SQLITE).perform(work);
      } finally {
        connection.rollback();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private final class CountingStatements implements StatementCache {
    private final StatementCache fresh = StatementCache.fresh(connection);

    @Override
    public PreparedStatement take(String next) throws SQLException {
      sql = next;
      count();
      return fresh.take(next);
    }

    @Override
    public void giveBack(String sql, PreparedStatement statement) throws SQLException {
      fresh.giveBack(sql, statement);
    }
  }

  @Override
  public <T> T transact(TransactionBody<T> work) {
    return real.transact(work);
  }

  @Override
  public void transactDeferred(TransactionBody<?> work, Consumer<Throwable> failed) {
    real.transactDeferred(work, failed);
  }

  @Override
  public boolean hasOneWriter() {
    return real.hasOneWriter();
  }

  @Override
  public OptionalLong changeCounter(Set<String> tables) {
    return real.changeCounter(tables);
  }

  @Override
  public AutoCloseable listen(String channel, Consumer<String> wake) {
    return real.listen(channel, wake);
  }

  @Override
  public Dialect dialect() {
    return real.dialect();
  }

  @Override
  public List<StoreGauge> gauges() {
    return real.gauges();
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } finally {
      real.close();
    }
  }
}
