package dev.substrat.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One row of a result, read by column name. Valid only while its mapper runs.
public final class ResultRow {
  private final ResultSet result;

  ResultRow(ResultSet result) {
    this.result = result;
  }

  /// Turns a row into something of the domain.
  @FunctionalInterface
  public interface RowMapper<T> {
    T map(ResultRow row);
  }

  public String text(String column) {
    String value = textOrNull(column);
    if (value == null) {
      throw new IllegalStateException("column " + column + " is null");
    }
    return value;
  }

  public @Nullable String textOrNull(String column) {
    try {
      return result.getString(column);
    } catch (SQLException e) {
      throw new StoreFailure(e);
    }
  }

  public byte @Nullable [] bytesOrNull(String column) {
    try {
      return result.getBytes(column);
    } catch (SQLException e) {
      throw new StoreFailure(e);
    }
  }

  public long number(String column) {
    try {
      return result.getLong(column);
    } catch (SQLException e) {
      throw new StoreFailure(e);
    }
  }

  public int integer(String column) {
    return Math.toIntExact(number(column));
  }

  public boolean flag(String column) {
    return number(column) != 0;
  }

  public Instant instant(String column) {
    return Instant.ofEpochMilli(number(column));
  }

  public @Nullable Instant instantOrNull(String column) {
    long millis = number(column);
    try {
      return result.wasNull() ? null : Instant.ofEpochMilli(millis);
    } catch (SQLException e) {
      throw new StoreFailure(e);
    }
  }
}
