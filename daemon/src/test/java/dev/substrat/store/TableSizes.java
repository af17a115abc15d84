package dev.substrat.store;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/// Bytes on disk of each table and each index of a test database.
public final class TableSizes {
  private static final String SQLITE =
      "select name, sum(pgsize) as bytes from dbstat group by name";

  private static final String POSTGRES =
      """
      select relname as name, pg_relation_size(pg_class.oid) as bytes from pg_class
      join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = 'public' and relkind in ('r', 'i')
      """;

  private TableSizes() {}

  /// After a vacuum, so that deleted rows do not count on either database.
  public static Map<String, Long> of(TestDatabase place) throws SQLException {
    String url = place.url().orElse("jdbc:sqlite:" + place.file());
    var sizes = new TreeMap<String, Long>();
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute(place.dialect() == Dialect.SQLITE ? "vacuum" : "vacuum full");
      try (var rows =
          statement.executeQuery(place.dialect() == Dialect.SQLITE ? SQLITE : POSTGRES)) {
        while (rows.next()) {
          sizes.put(rows.getString("name"), rows.getLong("bytes"));
        }
      }
    }
    return sizes;
  }
}
