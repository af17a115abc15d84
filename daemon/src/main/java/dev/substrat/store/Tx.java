package dev.substrat.store;

import dev.substrat.platform.log.Log;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A transaction as seen by the code inside it. Values are always bound, never concatenated.
///
/// Belongs to the thread that runs the transaction and is invalid after it. It is also invalid
/// after its first failed statement, on either database: it will be rolled back, whatever the work
/// does about the failure.
public final class Tx {
  private static final Log LOG = Log.of(Tx.class);

  /// Bound while work runs; used only to detect misuse.
  private static final ScopedValue<Tx> CURRENT = ScopedValue.newInstance();

  /// Bound while work runs whose own transactions take part in this one.
  private static final ScopedValue<Tx> OPEN = ScopedValue.newInstance();

  private final StatementCache statements;
  private final Dialect dialect;
  private final List<Runnable> afterCommit = new ArrayList<>();
  private final Set<Object> established = new HashSet<>();
  private @Nullable SQLException broken;

  private final List<String> executed = new ArrayList<>();

  Tx(Connection connection, Dialect dialect) {
    this(StatementCache.fresh(connection), dialect);
  }

  Tx(StatementCache statements, Dialect dialect) {
    this.statements = statements;
    this.dialect = dialect;
  }

  /// Refuses a transaction inside a transaction. It would wait for itself on SQLite and for a
  /// connection or a lock that its own thread holds on PostgreSQL, sooner or later.
  static void requireOutermost() {
    if (CURRENT.isBound()) {
      throw new IllegalStateException("nested transaction would deadlock");
    }
  }

  /// Whether this thread is inside a transaction: then it must not wait.
  public static boolean isInTransaction() {
    return CURRENT.isBound();
  }

  /// The transaction that this thread's next one takes part in, if any.
  static @Nullable Tx open() {
    return OPEN.isBound() ? OPEN.get() : null;
  }

  /// Runs `work`, whose own transactions and reads become part of this one: they see its changes,
  /// and all of it is committed or none. If `work` fails, so must this transaction.
  public <T> T including(Supplier<T> work) {
    return ScopedValue.where(OPEN, this).call(work::get);
  }

  /// Does the work and returns its result, unless a statement of it failed.
  <T> T perform(Database.TransactionBody<T> work) {
    T result = ScopedValue.where(CURRENT, this).call(() -> work.in(this));
    if (broken != null) {
      throw new StoreFailure(broken);
    }
    return result;
  }

  public Dialect dialect() {
    return dialect;
  }

  /// False if nothing of it would have to be undone.
  boolean mayHaveChanged() {
    return broken != null || executed.stream().anyMatch(Tx::mayChange);
  }

  /// Statements so far, in order.
  List<String> executed() {
    return executed;
  }

  /// Those that may have changed something.
  List<String> changing() {
    return executed.stream().filter(Tx::mayChange).toList();
  }

  private static boolean mayChange(String sql) {
    return !sql.startsWith("select");
  }

  /// Executes a statement and returns the number of changed rows.
  public int update(String sql, @Nullable Object... values) {
    return run(sql, values, PreparedStatement::executeUpdate);
  }

  /// All rows of a query, in its order.
  public <T> List<T> list(String sql, ResultRow.RowMapper<T> mapper, @Nullable Object... values) {
    return run(
        sql,
        values,
        statement -> {
          try (var result = statement.executeQuery()) {
            var row = new ResultRow(result);
            var rows = new ArrayList<T>();
            while (result.next()) {
              rows.add(mapper.map(row));
            }
            return rows;
          }
        });
  }

  /// The first row of a query, if there is one.
  public <T> Optional<T> find(
      String sql, ResultRow.RowMapper<T> mapper, @Nullable Object... values) {
    return list(sql, mapper, values).stream().findFirst();
  }

  /// Whether the query finds a row.
  public boolean exists(String sql, @Nullable Object... values) {
    return !list(sql, _ -> true, values).isEmpty();
  }

  /// A query with exactly one row and one number in column `n`.
  public long number(String sql, @Nullable Object... values) {
    return list(sql, row -> row.number("n"), values).getFirst();
  }

  /// Sends `text` to all daemons that listen on `channel`, also to this one, once this transaction
  /// is durable. On an embedded database there are none.
  public void notifyAll(String channel, String text) {
    if (dialect == Dialect.POSTGRES) {
      list("select pg_notify(?, ?)", _ -> true, channel, text);
    }
  }

  /// Whether `condition` was checked in this transaction, see [#establish].
  public boolean isEstablished(Object condition) {
    return established.contains(condition);
  }

  /// Remembers that `condition` was checked and holds until the commit, so that it need not be
  /// checked again. The transaction must not make it false itself.
  public void establish(Object condition) {
    established.add(condition);
  }

  /// Runs `action` once this transaction is durable, and never if it is not. It must be quick and
  /// read nothing: it runs where other transactions wait.
  public void afterCommit(Runnable action) {
    afterCommit.add(action);
  }

  List<Runnable> afterCommit() {
    return afterCommit;
  }

  /// The commit is done, so a failing action does not fail the transaction.
  static void runAfterCommit(Iterable<Runnable> actions) {
    for (Runnable action : actions) {
      try {
        action.run();
      } catch (RuntimeException | Error e) {
        LOG.error("an after-commit action failed", e);
      }
    }
  }

  private <T> T run(String sql, @Nullable Object[] values, StatementExecution<T> execution) {
    if (broken != null) {
      throw new StoreFailure(broken);
    }
    executed.add(sql);
    try {
      PreparedStatement statement = statements.take(sql);
      T result;
      try {
        result = execution.on(bound(statement, values));
        if (values.length > 0) {
          // A cached statement would keep its values in memory.
          statement.clearParameters();
        }
      } catch (SQLException | RuntimeException | Error e) {
        StatementCache.closeAfter(e, statement);
        throw e;
      }
      statements.giveBack(sql, statement);
      return result;
    } catch (SQLException e) {
      broken = e;
      throw new StoreFailure(e);
    }
  }

  private static PreparedStatement bound(PreparedStatement statement, @Nullable Object[] values)
      throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, bindable(values[i]));
    }
    return statement;
  }

  /// The types that both databases support: text, integers, bytes and null.
  private static @Nullable Object bindable(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Instant time -> time.toEpochMilli();
      case Boolean flag -> flag ? 1 : 0;
      case Enum<?> constant -> constant.toString();
      default -> value;
    };
  }

  private interface StatementExecution<T> {
    T on(PreparedStatement statement) throws SQLException;
  }
}
