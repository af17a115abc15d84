package dev.substrat.store;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Small table to write and read rows in tests.
final class TestRows {
  private static final String PUT =
      "insert into credential (id, hash, principal, label, created_at) values (?, ?, '', '', 0)";

  private TestRows() {}

  static int put(Tx tx, String id, String text) {
    return tx.update(PUT, id, text);
  }

  static int put(Database database, String id, String text) {
    return database.transact(tx -> put(tx, id, text));
  }

  static List<String> ids(Database database) {
    return database.read(
        tx -> tx.list("select id from credential order by id", row -> row.text("id")));
  }

  /// Waits inside a transaction; bounded, so that a failing test ends.
  static void await(CountDownLatch latch) {
    try {
      if (!latch.await(120, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nobody came");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
