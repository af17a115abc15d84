package dev.substrat.store;

import java.util.stream.Collectors;

/// Reads how a database would execute a statement.
public final class QueryPlans {
  private QueryPlans() {}

  /// The plan as text. PostgreSQL prefers a full scan of a small table, which does not predict the
  /// plan for a large one: here it uses an index if it can.
  public static String of(Database database, String sql, Object... values) {
    return database.read(tx ->
        switch (tx.dialect()) {
          case SQLITE -> lines(tx, "explain query plan " + sql, "detail", values);
          case POSTGRES -> {
            tx.list(
                "select set_config('enable_seqscan', 'off', true) as value",
                row -> row.text("value"));
            yield lines(tx, "explain " + sql, "query plan", values);
          }
        });
  }

  private static String lines(Tx tx, String sql, String column, Object... values) {
    return tx.list(sql, row -> row.text(column), values).stream().collect(Collectors.joining("\n"));
  }
}
