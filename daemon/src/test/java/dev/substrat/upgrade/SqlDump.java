package dev.substrat.upgrade;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/// A PostgreSQL database as SQL text: the migrations that ran on it, then its rows as inserts, one
/// per line. Written and read over JDBC, because `pg_dump` must be as new as its server.
final class SqlDump {
  private static final String TABLES =
      "select tablename from pg_tables where schemaname = 'public' order by tablename";

  private SqlDump() {}

  /// The schema version of a database.
  static int version(Connection connection) throws SQLException {
    return Integer.parseInt(
        texts(connection, "select max(version) from schema_version").getFirst());
  }

  static String of(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    var dump = new StringBuilder();
    for (String migration : texts(connection, "select name from schema_version order by version")) {
      dump.append(script(migration)).append('\n');
    }
    dump.append(
        "create table schema_version (version integer primary key, name text not null, checksum text not null, applied_at bigint not null);\n");
    // Foreign keys are not checked, so that the order of tables does not matter.
    dump.append("set session_replication_role = replica;\n");
    for (String table : texts(connection, TABLES)) {
      // Some migrations insert rows of their own.
      dump.append("delete from ").append(table).append(";\n");
      appendRows(connection, table, dump);
    }
    for (String sequence :
        texts(
            connection,
            """
            select format('select setval(%L, %s);', 'public.' || sequencename, last_value)
            from pg_sequences where schemaname = 'public' and last_value is not null
            order by sequencename
            """)) {
      dump.append(sequence).append('\n');
    }
    return dump.append("set session_replication_role = origin;\n").toString();
  }

  static void restore(String dump, Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (var statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      for (String sql : dump.split(";\\s*\\n")) {
        if (!sql.isBlank()) {
          statement.execute(sql);
        }
      }
    }
    connection.commit();
  }

  private static String script(String migration) {
    return resource(migration + ".sql") + "\n" + resource(migration + ".postgres.sql");
  }

  private static String resource(String file) {
    String name = "/migrations/" + file;
    return SqlDump.class.getResource(name) == null ? "" : FixtureScenario.resource(name);
  }

  private static void appendRows(Connection connection, String table, StringBuilder dump)
      throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("select * from " + table + " order by 1")) {
      var columns = new ArrayList<String>();
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        columns.add(rows.getMetaData().getColumnName(i));
      }
      while (rows.next()) {
        var values = new ArrayList<String>();
        for (int i = 1; i <= columns.size(); i++) {
          values.add(literal(rows, i));
        }
        dump.append("insert into ")
            .append(table)
            .append(columns.stream().collect(Collectors.joining(", ", " (", ")")))
            .append(" overriding system value values ")
            .append(values.stream().collect(Collectors.joining(", ", "(", ")")))
            .append(";\n");
      }
    }
  }

  private static String literal(ResultSet rows, int column) throws SQLException {
    return switch (rows.getObject(column)) {
      case null -> "null";
      case byte[] bytes -> "'\\x" + HexFormat.of().formatHex(bytes) + "'";
      case Number number -> number.toString();
      // On one line each, so that the end of a line ends a statement.
      case Object other ->
          "E'"
              + other
                  .toString()
                  .replace("\\", "\\\\")
                  .replace("'", "''")
                  .replace("\n", "\\n")
                  .replace("\r", "\\r")
              + "'";
    };
  }

  static List<String> texts(Connection connection, String query) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      var texts = new ArrayList<String>();
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
      return texts;
    }
  }
}
