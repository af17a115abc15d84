package dev.substrat.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// Cache of prepared statements of one connection.
///
/// A borrowed statement is used exclusively until it is returned, so that a query may run again
/// while its rows are being read. A statement that failed is closed and not returned: SQLite's
/// driver leaves it unusable.
///
/// PostgreSQL's driver has its own cache; for SQLite this one is needed, because preparing costs as
/// much as running. Belongs to one connection and its thread.
interface StatementCache {
  PreparedStatement take(String sql) throws SQLException;

  void giveBack(String sql, PreparedStatement statement) throws SQLException;

  /// Runs a command that has neither values nor rows.
  default void execute(String command) throws SQLException {
    PreparedStatement statement = take(command);
    try {
      statement.execute();
    } catch (SQLException e) {
      closeAfter(e, statement);
      throw e;
    }
    giveBack(command, statement);
  }

  /// Closes a statement that failed, and keeps the original exception.
  static void closeAfter(Throwable failure, PreparedStatement statement) {
    try {
      statement.close();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  static StatementCache fresh(Connection connection) {
    return new StatementCache() {
      @Override
      public PreparedStatement take(String sql) throws SQLException {
        return connection.prepareStatement(sql);
      }

      @Override
      public void giveBack(String sql, PreparedStatement statement) throws SQLException {
        statement.close();
      }
    };
  }

  static StatementCache kept(Connection connection) {
    return new BoundedStatementCache(connection);
  }

  /// Bounded, because a few queries are put together from parts.
  final class BoundedStatementCache implements StatementCache {
    private static final int LIMIT = 200;

    private final Connection connection;
    private final SequencedMap<String, PreparedStatement> ready = new LinkedHashMap<>();

    private BoundedStatementCache(Connection connection) {
      this.connection = connection;
    }

    @Override
    public PreparedStatement take(String sql) throws SQLException {
      PreparedStatement statement = ready.remove(sql);
      return statement == null ? connection.prepareStatement(sql) : statement;
    }

    @Override
    public void giveBack(String sql, PreparedStatement statement) throws SQLException {
      PreparedStatement twin = ready.put(sql, statement);
      if (twin != null) {
        twin.close();
      }
      if (ready.size() > LIMIT) {
        ready.pollFirstEntry().getValue().close();
      }
    }
  }
}
