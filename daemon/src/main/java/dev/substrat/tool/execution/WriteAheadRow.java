package dev.substrat.tool.execution;

import dev.substrat.store.Tx;
import java.util.function.Consumer;

/// Row of a call that is queued before the tool runs, and durable before the answer.
///
/// Owned by the database's one writer, which works in the order of arrival: a transaction that was
/// queued later knows whether the row was written. If the call ends before the writer reaches its
/// row, the row is written together with the result.
final class WriteAheadRow {
  private final Consumer<Tx> writing;
  private boolean isThere;
  private volatile boolean isOver;

  WriteAheadRow(Consumer<Tx> writing) {
    this.writing = writing;
  }

  /// For a row that is already durable.
  static WriteAheadRow there() {
    var row = new WriteAheadRow(_ -> {});
    row.isThere = true;
    return row;
  }

  /// For a row that is written together with the result.
  static WriteAheadRow missing() {
    return new WriteAheadRow(_ -> {});
  }

  /// Without a fence: the call is made even if the agent was terminated meanwhile.
  boolean write(Tx tx) {
    isThere = false;
    if (!isOver) {
      writing.accept(tx);
      isThere = true;
    }
    return true;
  }

  /// The result is about to be queued.
  void close() {
    isOver = true;
  }

  /// The write failed.
  void lost() {
    isThere = false;
  }

  boolean isThere() {
    return isThere;
  }
}
