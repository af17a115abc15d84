package dev.substrat.store;

import java.sql.SQLException;

/// A database error on its way out of a transaction; [Dialect] turns it into a fault there.
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
