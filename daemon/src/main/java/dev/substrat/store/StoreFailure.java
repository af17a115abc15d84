package dev.substrat.store;

import java.sql.SQLException;

/// Database error inside of a transaction; [Dialect] translates it to a fault.
final class StoreFailure extends RuntimeException {
  private final SQLException reason;

  StoreFailure(SQLException reason) {
    super(reason);
    this.reason = reason;
  }

  SQLException reason() {
    return reason;
  }
}
