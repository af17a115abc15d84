package dev.substrat.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One transaction, seen from inside. Values are always bound, never concatenated.
///
/// Belongs to the thread that runs the transaction and is dead after it.
public final class Tx {
  private final Statements statements;
  private final Dialect dialect;
  private final List<Runnable> afterCommit = new ArrayList<>();

  Tx(Connection connection, Dialect dialect) {
    this(Statements.fresh(connection), dialect);
  }

  Tx(Statements statements, Dialect dialect) {
    this.statements = statements;
    this.dialect = dialect;
  }

  public Dialect dialect() {
    return dialect;
  }

  /// Runs a change and tells how many rows it touched.
  public int update(String sql, @Nullable Object... values) {
    return run(sql, values, PreparedStatement::executeUpdate);
  }

  /// All rows of a query, in its order.
  public <T> List<T> list(String sql, Row.Mapper<T> mapper, @Nullable Object... values) {
    return run(
        sql,
        values,
        statement -> {
          try (var result = statement.executeQuery()) {
            var row = new Row(result);
            var rows = new ArrayList<T>();
            while (result.next()) {
              rows.add(mapper.map(row));
            }
            return rows;
          }
        });
  }

  /// The first row of a query, if there is one.
  public <T> Optional<T> find(String sql, Row.Mapper<T> mapper, @Nullable Object... values) {
    return list(sql, mapper, values).stream().findFirst();
  }

  /// A query that always has exactly one row with one number in column `n`.
  public long number(String sql, @Nullable Object... values) {
    return list(sql, row -> row.number("n"), values).getFirst();
  }

  /// Wakes the other daemons that listen on `channel`, once this transaction is durable.
  public void notifyOthers(String channel) {
    if (dialect == Dialect.POSTGRES) {
      list("select pg_notify(?, '')", _ -> true, channel);
    }
  }

  /// Runs `action` once this transaction is durable, and never if it is not. It must be quick and
  /// must not fail: it runs where other transactions wait.
  public void afterCommit(Runnable action) {
    afterCommit.add(action);
  }

  List<Runnable> afterCommit() {
    return afterCommit;
  }

  private <T> T run(String sql, @Nullable Object[] values, Execution<T> execution) {
    try {
      PreparedStatement statement = statements.prepare(sql);
      try {
        for (int i = 0; i < values.length; i++) {
          statement.setObject(i + 1, bindable(values[i]));
        }
        return execution.on(statement);
      } finally {
        statements.done(statement);
      }
    } catch (SQLException e) {
      throw new StoreFailure(e);
    }
  }

  /// The few types both databases take: text, whole numbers, bytes and null.
  private static @Nullable Object bindable(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Instant time -> time.toEpochMilli();
      case Boolean flag -> flag ? 1 : 0;
      case Enum<?> constant -> constant.toString();
      default -> value;
    };
  }

  private interface Execution<T> {
    T on(PreparedStatement statement) throws SQLException;
  }
}
