package dev.substrat.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// Where a transaction gets its prepared statements.
///
/// PostgreSQL's driver keeps its own; for SQLite we keep them, because preparing costs as much as
/// running. Belongs to one connection and its thread.
interface Statements {
  PreparedStatement prepare(String sql) throws SQLException;

  void done(PreparedStatement statement) throws SQLException;

  static Statements fresh(Connection connection) {
    return new Statements() {
      @Override
      public PreparedStatement prepare(String sql) throws SQLException {
        return connection.prepareStatement(sql);
      }

      @Override
      public void done(PreparedStatement statement) throws SQLException {
        statement.close();
      }
    };
  }

  static Statements kept(Connection connection) {
    return new Kept(connection);
  }

  /// Bounded, because a few queries are put together from parts.
  final class Kept implements Statements {
    private static final int LIMIT = 200;

    private final Connection connection;
    private final SequencedMap<String, PreparedStatement> ready =
        new LinkedHashMap<>(LIMIT, 0.75f, true);

    private Kept(Connection connection) {
      this.connection = connection;
    }

    @Override
    public PreparedStatement prepare(String sql) throws SQLException {
      PreparedStatement statement = ready.get(sql);
      if (statement == null) {
        statement = connection.prepareStatement(sql);
        ready.put(sql, statement);
        dropEldest();
      }
      return statement;
    }

    @Override
    public void done(PreparedStatement statement) throws SQLException {
      statement.clearParameters();
    }

    private void dropEldest() throws SQLException {
      if (ready.size() > LIMIT) {
        ready.pollFirstEntry().getValue().close();
      }
    }
  }
}
