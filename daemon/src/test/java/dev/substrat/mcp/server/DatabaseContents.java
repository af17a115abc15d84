package dev.substrat.mcp.server;

import dev.substrat.store.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Contents of a database, table by table, to compare before and after.
final class DatabaseContents {
  /// The log has its numbers a moment later than its events, on one of the databases.
  private static final Set<String> LOG =
      Set.of("event", "event_counter", "event_entity", "event_staging", "sqlite_sequence");

  /// Tables that the daemon's background work on passages changes at any time.
  private static final Set<String> BACKGROUND =
      Set.of("passage_waiting", "passage_vector", "vector_counter");

  /// Tables that record every call of an agent.
  private static final Set<String> RECORD = Set.of("run", "run_message", "run_step");

  private DatabaseContents() {}

  /// All rows of all tables but the log's.
  static Map<String, List<String>> of(TestDatabase place) throws SQLException {
    var contents = new TreeMap<String, List<String>>();
    try (Connection connection = DriverManager.getConnection(url(place))) {
      for (String table : rows(connection, tables(place))) {
        if (!LOG.contains(table) && !BACKGROUND.contains(table)) {
          contents.put(table, rows(connection, "select * from \"" + table + "\""));
        }
      }
    }
    return contents;
  }

  /// Without the record of calls.
  static Map<String, List<String>> besideTheRecord(TestDatabase place) throws SQLException {
    var contents = of(place);
    contents.keySet().removeAll(RECORD);
    return contents;
  }

  /// The kinds of all events in the log.
  static List<String> told(TestDatabase place) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url(place))) {
      return rows(
          connection,
          switch (place.dialect()) {
            case SQLITE -> "select kind from event";
            case POSTGRES -> "select kind from event union all select kind from event_staging";
          });
    }
  }

  private static String url(TestDatabase place) {
    return place.url().orElseGet(() -> "jdbc:sqlite:" + place.file());
  }

  private static String tables(TestDatabase place) {
    return switch (place.dialect()) {
      case SQLITE -> "select name from sqlite_master where type = 'table'";
      case POSTGRES -> "select tablename from pg_tables where schemaname = 'public'";
    };
  }

  private static List<String> rows(Connection connection, String query) throws SQLException {
    var all = new ArrayList<String>();
    try (var statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        var row = new String[columns];
        for (int i = 0; i < columns; i++) {
          row[i] = rows.getString(i + 1);
        }
        all.add(columns == 1 ? row[0] : Arrays.toString(row));
      }
    }
    all.sort(null);
    return all;
  }
}
