package dev.substrat.store;

import dev.substrat.protocol.Fault;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/// Differences between the two databases. If this grows beyond a page, the SQL is too clever.
public enum Dialect {
  SQLITE,
  POSTGRES;

  /// The database's own clock in UTC milliseconds, the only one that leases are compared on: the
  /// clocks of two daemons differ.
  public String now() {
    return switch (this) {
      case SQLITE -> "cast(unixepoch('subsec') * 1000 as integer)";
      case POSTGRES -> "cast(extract(epoch from clock_timestamp()) * 1000 as bigint)";
    };
  }

  /// A table of the texts in a JSON array bound here, in column `value`.
  public String members() {
    return switch (this) {
      case SQLITE -> "json_each(?)";
      case POSTGRES -> "json_array_elements_text(cast(? as json)) as member (value)";
    };
  }

  /// A JSON object for long lists. If it has more than `most` characters, its `text` is cut and the
  /// keys `without` are omitted.
  public String abridged(String json, int most, List<String> without) {
    return "case when length(%1$s) <= %2$d then %1$s else %3$s end"
        .formatted(json, most, shortened(json, most, without));
  }

  private String shortened(String json, int most, List<String> without) {
    return switch (this) {
      case SQLITE ->
          "json_remove(json_set(%1$s, '$.text', substr(coalesce(json_extract(%1$s, '$.text'), ''), 1, %2$d))%3$s)"
              .formatted(json, most, each(", '$.%s'", without));
      // PostgreSQL's JSON does not support the character U+0000.
      case POSTGRES ->
          "cast(jsonb_set(%1$s, '{text}', to_jsonb(left(coalesce(%1$s ->> 'text', ''), %2$d)))%3$s as text)"
              .formatted(
                  "cast(replace(%s, '\\u0000', '\\u0020') as jsonb)".formatted(json),
                  most,
                  each(" - '%s'", without));
    };
  }

  private static String each(String form, List<String> keys) {
    return keys.stream().map(form::formatted).collect(Collectors.joining());
  }

  /// Follows a text that is compared or ordered sign by sign, as Java does it, and not as the
  /// language does that a server was set up for.
  public String plainOrder() {
    return switch (this) {
      case SQLITE -> "collate binary";
      case POSTGRES -> "collate \"C\"";
    };
  }

  /// Ends a query that claims rows, so that two daemons never claim the same.
  public String claimSuffix() {
    return switch (this) {
      // There is only one writer.
      case SQLITE -> "";
      case POSTGRES -> "for update skip locked";
    };
  }

  /// Ends a query for rows to be updated, without those that another transaction is changing. Rows
  /// that refer to them may be inserted meanwhile.
  public String updateSuffix() {
    return switch (this) {
      // There is only one writer.
      case SQLITE -> "";
      case POSTGRES -> "for no key update skip locked";
    };
  }

  /// Prevents two daemons from migrating at the same time.
  String migrationLock() {
    return switch (this) {
      // Already exclusive, see above; a query all the same, so that the caller need not ask.
      case SQLITE -> "select 1";
      case POSTGRES -> "select pg_advisory_xact_lock(5211373)";
    };
  }

  /// Serialises transactions that create names, until each of them ends.
  public String nameLock() {
    return switch (this) {
      case SQLITE -> "select 1";
      case POSTGRES -> "select pg_advisory_xact_lock(5211374)";
    };
  }

  /// The ending of a migration that only this database needs.
  String migrationSuffix() {
    return switch (this) {
      case SQLITE -> ".sqlite.sql";
      case POSTGRES -> ".postgres.sql";
    };
  }

  /// Converts a database error into a fault for the operator.
  Fault fault(SQLException reason) {
    return switch (this) {
      case SQLITE -> SqliteFaults.of(reason);
      case POSTGRES -> PostgresFaults.of(reason);
    };
  }
}
