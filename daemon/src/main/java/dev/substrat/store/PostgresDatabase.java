package dev.substrat.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import dev.substrat.fault.Fault;
import dev.substrat.log.Log;
import dev.substrat.protocol.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/// The shared database: several daemons on one PostgreSQL.
final class PostgresDatabase implements Database {
  private static final Log LOG = Log.of(PostgresDatabase.class);

  /// PostgreSQL's fsync batches commits of parallel connections by itself; more of them than this
  /// only queue inside the server.
  private static final int WRITERS = 12;

  private static final int READERS = 6;

  /// Lost races resolve in one or two attempts; so many in a row mean something is wrong.
  private static final int ATTEMPTS = 20;

  private final HikariDataSource writers;
  private final HikariDataSource readers;

  private PostgresDatabase(HikariDataSource writers, HikariDataSource readers) {
    this.writers = writers;
    this.readers = readers;
  }

  static PostgresDatabase open(String url) {
    try {
      var writing = new HikariConfig();
      writing.setPoolName("postgres-writers");
      writing.setMaximumPoolSize(WRITERS);
      var reading = new HikariConfig();
      reading.setPoolName("postgres-readers");
      reading.setMaximumPoolSize(READERS);
      reading.setReadOnly(true);
      // A snapshot for the whole of a read, as SQLite gives it.
      reading.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
      return new PostgresDatabase(pool(writing, url), pool(reading, url));
    } catch (HikariPool.PoolInitializationException e) {
      throw e.getCause() instanceof SQLException reason ? PostgresFaults.of(reason) : e;
    }
  }

  private static HikariDataSource pool(HikariConfig config, String url) {
    config.setJdbcUrl(url);
    config.setAutoCommit(false);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(Duration.ofSeconds(5).toMillis());
    config.addDataSourceProperty("ApplicationName", "substrat");
    return new HikariDataSource(config);
  }

  @Override
  public <T> T transact(Work<T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return once(work);
      } catch (SQLException reason) {
        if (!PostgresFaults.isLostRace(reason)) {
          throw PostgresFaults.of(reason);
        }
        if (attempt == ATTEMPTS) {
          throw new Fault(
              ErrorCode.DATABASE_LOCKED, "the transaction kept losing races", "try again", reason);
        }
        LOG.debug("lost a race, trying again", "attempt", attempt, "reason", reason.getMessage());
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000L * attempt));
      }
    }
  }

  private <T> T once(Work<T> work) throws SQLException {
    Tx tx;
    T result;
    try (Connection connection = writers.getConnection()) {
      tx = new Tx(connection, Dialect.POSTGRES);
      try {
        result = work.in(tx);
        connection.commit();
      } catch (StoreFailure e) {
        connection.rollback();
        throw e.reason();
      } catch (RuntimeException | Error e) {
        connection.rollback();
        throw e;
      }
    }
    tx.afterCommit().forEach(Runnable::run);
    return result;
  }

  @Override
  public <T> T read(Work<T> work) {
    try (Connection connection = readers.getConnection()) {
      try {
        return work.in(new Tx(connection, Dialect.POSTGRES));
      } finally {
        connection.rollback();
      }
    } catch (StoreFailure e) {
      throw PostgresFaults.of(e.reason());
    } catch (SQLException reason) {
      throw PostgresFaults.of(reason);
    }
  }

  @Override
  public AutoCloseable listen(String channel, Runnable wake) {
    return new PostgresListener(writers.getJdbcUrl(), channel, wake);
  }

  @Override
  public Dialect dialect() {
    return Dialect.POSTGRES;
  }

  @Override
  public void close() {
    readers.close();
    writers.close();
  }
}
