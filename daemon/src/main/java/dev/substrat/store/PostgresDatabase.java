package dev.substrat.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.pool.HikariPool;
import dev.substrat.platform.config.ConnectionPools;
import dev.substrat.platform.identity.RequestActor;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.Fault;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.postgresql.Driver;

/// The shared database: one PostgreSQL for several daemons.
final class PostgresDatabase implements Database {
  private static final Log LOG = Log.of(PostgresDatabase.class);

  /// Lost races resolve in one or two attempts; this many in a row indicate a problem.
  private static final int ATTEMPTS = 20;

  /// If the server's default is not to wait for the disk, a crash could lose acknowledged commits;
  /// a stricter default is kept. And a daemon that stops in the middle of a transaction must not
  /// hold locks that others wait for.
  private static final String PREPARE_WRITER =
      """
      select set_config('idle_in_transaction_session_timeout', '20s', false);
      select set_config('synchronous_commit', 'on', false)
      where current_setting('synchronous_commit') = 'off'
      """;

  private final HikariDataSource writers;
  private final HikariDataSource readers;
  private final WriteHealth writes = new WriteHealth();
  private final TableWriteCounters changes = new TableWriteCounters();

  /// Work does not run on its caller's thread, so that an interrupt of the caller does not reach
  /// it.
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("postgres-", 0).factory());

  private PostgresDatabase(HikariDataSource writers, HikariDataSource readers) {
    this.writers = writers;
    this.readers = readers;
  }

  static boolean isAddress(String url) {
    return url.startsWith("jdbc:postgresql://") && Driver.parseURL(url, null) != null;
  }

  static PostgresDatabase open(String url, ConnectionPools pools) {
    var writing = new HikariConfig();
    writing.setPoolName("postgres-writers");
    writing.setMaximumPoolSize(pools.writers());
    writing.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    writing.setConnectionInitSql(PREPARE_WRITER);
    // Otherwise what prepares a connection is undone when its first transaction is.
    writing.setIsolateInternalQueries(true);
    var reading = new HikariConfig();
    reading.setPoolName("postgres-readers");
    reading.setMaximumPoolSize(pools.readers());
    reading.setReadOnly(true);
    // A snapshot for the whole read, as in SQLite.
    reading.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
    HikariDataSource writers = pool(writing, url);
    try {
      return new PostgresDatabase(writers, pool(reading, url));
    } catch (RuntimeException e) {
      writers.close();
      throw e;
    }
  }

  private static HikariDataSource pool(HikariConfig config, String url) {
    config.setJdbcUrl(url);
    config.setAutoCommit(false);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(Duration.ofSeconds(5).toMillis());
    login().forEach(config::addDataSourceProperty);
    try {
      return new HikariDataSource(config);
    } catch (HikariPool.PoolInitializationException e) {
      throw e.getCause() instanceof SQLException reason ? PostgresFaults.of(reason) : e;
    }
  }

  /// Connection properties and timeouts: the server may hang, may not be PostgreSQL, or may vanish
  /// while a caller waits. No statement takes a minute. Values in the URL override these.
  static Map<String, String> login() {
    return Map.of(
        "ApplicationName", "substrat",
        "loginTimeout", "5",
        "socketTimeout", "60",
        "tcpKeepAlive", "true");
  }

  @Override
  public <T> T transact(TransactionBody<T> work) {
    Tx open = Tx.open();
    if (open != null) {
      return work.in(open);
    }
    Tx.requireOutermost();
    RequestActor actor = RequestActor.current();
    return writes.watch(
        work,
        watched ->
            UninterruptibleWait.call(
                threads, () -> RequestActor.call(actor, () -> untilNoRaceIsLost(watched))));
  }

  private <T> T untilNoRaceIsLost(TransactionBody<T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return once(work);
      } catch (SQLException reason) {
        if (!PostgresFaults.isLostRace(reason) || attempt == ATTEMPTS) {
          throw PostgresFaults.of(reason);
        }
        LOG.debug(
            "serialization failure, retrying", "attempt", attempt, "reason", reason.getMessage());
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000L * attempt));
      }
    }
  }

  private <T> T once(TransactionBody<T> work) throws SQLException {
    Tx tx;
    T result;
    try (Connection connection = writers.getConnection()) {
      tx = new Tx(connection, Dialect.POSTGRES);
      result = perform(tx, work, connection);
      connection.commit();
    }
    changes.committed(tx.changing());
    Tx.runAfterCommit(tx.afterCommit());
    return result;
  }

  /// Rolls back after a failure, and keeps the original exception.
  private static <T> T perform(Tx tx, TransactionBody<T> work, Connection connection)
      throws SQLException {
    try {
      return tx.perform(work);
    } catch (StoreFailure e) {
      rollBackAfter(e.reason(), connection);
      throw e.reason();
    } catch (RuntimeException | Error e) {
      rollBackAfter(e, connection);
      throw e;
    }
  }

  private static void rollBackAfter(Throwable failure, Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException alsoFailed) {
      failure.addSuppressed(alsoFailed);
    }
  }

  @Override
  public <T> T read(TransactionBody<T> work) {
    Tx open = Tx.open();
    if (open != null) {
      return work.in(open);
    }
    Tx.requireOutermost();
    return UninterruptibleWait.call(threads, () -> readOnce(work));
  }

  private <T> T readOnce(TransactionBody<T> work) {
    try (Connection connection = readers.getConnection()) {
      T result = perform(new Tx(connection, Dialect.POSTGRES), work, connection);
      connection.rollback();
      return result;
    } catch (SQLException reason) {
      throw PostgresFaults.of(reason);
    }
  }

  @Override
  public long ownChanges(Set<String> tables) {
    return changes.of(tables);
  }

  @Override
  public AutoCloseable listen(String channel, Consumer<String> heard) {
    return new PostgresListener(writers.getJdbcUrl(), channel, heard);
  }

  /// Both pools, because each can be exhausted alone.
  @Override
  public List<Fault> problems() {
    try {
      transact(Migrations::requireKnown);
    } catch (Fault fault) {
      return List.of(fault);
    }
    return writes.problems(this);
  }

  @Override
  public List<StoreGauge> gauges() {
    return Stream.of(writers, readers).flatMap(PostgresDatabase::gauges).toList();
  }

  private static Stream<StoreGauge> gauges(HikariDataSource pool) {
    HikariPoolMXBean state = pool.getHikariPoolMXBean();
    String name = pool.getPoolName().replace("postgres-", "");
    return Stream.of(
        new StoreGauge(
            "substrat.database.pool.connections",
            List.of("pool", name, "state", "active"),
            state::getActiveConnections),
        new StoreGauge(
            "substrat.database.pool.connections",
            List.of("pool", name, "state", "idle"),
            state::getIdleConnections),
        new StoreGauge(
            "substrat.database.pool.waiting",
            List.of("pool", name),
            state::getThreadsAwaitingConnection));
  }

  @Override
  public Dialect dialect() {
    return Dialect.POSTGRES;
  }

  @Override
  public void close() {
    UninterruptibleWait.close(threads);
    readers.close();
    writers.close();
  }
}
