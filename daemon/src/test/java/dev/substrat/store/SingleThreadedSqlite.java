package dev.substrat.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.sqlite.Function;
import org.sqlite.SQLiteConnection;

/// SQLite in memory, on the caller's thread and a manual clock: for simulations, in which only one
/// thread runs at a time. Statements, transactions and results are those of SQLite; there is no
/// group commit and no disk.
public final class SingleThreadedSqlite implements Database {
  private static final byte[] EMPTY_SCHEMA = migrated();

  private final SQLiteConnection connection;
  private final StatementCache statements;
  private long commits;

  private SingleThreadedSqlite(SQLiteConnection connection, UnaryOperator<String> rewrite) {
    this.connection = connection;
    StatementCache kept = StatementCache.kept(connection);
    this.statements =
        new StatementCache() {
          @Override
          public PreparedStatement take(String sql) throws SQLException {
            return kept.take(rewrite.apply(sql));
          }

          @Override
          public void giveBack(String sql, PreparedStatement statement) throws SQLException {
            kept.giveBack(rewrite.apply(sql), statement);
          }
        };
  }

  /// A database on the current schema with `millis` as its clock; `rewrite` may change statements,
  /// to inject bugs.
  public static SingleThreadedSqlite open(LongSupplier millis, UnaryOperator<String> rewrite) {
    try {
      SQLiteConnection connection = connect();
      connection.deserialize("main", EMPTY_SCHEMA);
      execute(connection, "pragma foreign_keys = on");
      Function.create(connection, "unixepoch", new Clock(millis), 1, 0);
      return new SingleThreadedSqlite(connection, rewrite);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Half a millisecond more, so that the product with 1000 is never cut to the one before.
  private static final class Clock extends Function {
    private final LongSupplier millis;

    Clock(LongSupplier millis) {
      this.millis = millis;
    }

    @Override
    protected void xFunc() throws SQLException {
      result((millis.getAsLong() + 0.5) / 1000.0);
    }
  }

  private static byte[] migrated() {
    try (var connection = connect()) {
      new Migrations(
              new SingleThreadedSqlite(connection, UnaryOperator.identity()),
              InstantSource.system())
          .run();
      return connection.serialize("main");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static SQLiteConnection connect() throws SQLException {
    return (SQLiteConnection) DriverManager.getConnection("jdbc:sqlite::memory:");
  }

  @Override
  public <T> T transact(TransactionBody<T> work) {
    return within("begin immediate", "commit", work);
  }

  @Override
  public <T> T read(TransactionBody<T> work) {
    return within("begin", "rollback", work);
  }

  /// Does the work and undoes it, as after a lost race: it will be done again.
  @Override
  public <T> T dryRun(TransactionBody<T> work) {
    return within("begin immediate", "rollback", work);
  }

  /// How many transactions have been kept.
  public long commits() {
    return commits;
  }

  /// True if this thread's next transaction would take part in the one it is in.
  public static boolean isTakingPart() {
    return Tx.open() != null;
  }

  private <T> T within(String begin, String end, TransactionBody<T> work) {
    Tx open = Tx.open();
    if (open != null) {
      return work.in(open);
    }
    Tx.requireOutermost();
    try {
      statements.execute(begin);
      var tx = new Tx(statements, Dialect.SQLITE);
      T result;
      try {
        result = tx.perform(work);
      } catch (RuntimeException | Error e) {
        statements.execute("rollback");
        throw e;
      }
      statements.execute(end);
      if (end.equals("commit")) {
        commits++;
        Tx.runAfterCommit(tx.afterCommit());
      }
      return result;
    } catch (StoreFailure e) {
      throw Dialect.SQLITE.fault(e.reason());
    } catch (SQLException e) {
      throw Dialect.SQLITE.fault(e);
    }
  }

  @Override
  public AutoCloseable listen(String channel, Consumer<String> heard) {
    return () -> {};
  }

  @Override
  public Dialect dialect() {
    return Dialect.SQLITE;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void execute(Connection connection, String command) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(command);
    }
  }
}
