package dev.substrat.tool.execution;

import dev.substrat.store.Tx;
import java.util.function.Consumer;

/// The row of a call that has left already: handed in before it left, and on the disk before
/// anybody is told what came of it.
///
/// Belongs to the database's one writer, which does everything in the order of handing in; whether
/// the row is there is known to whatever was handed in later. A call that is over before the writer
/// comes to its row needs none of its own: it is written together with what came of it.
final class WriteAheadRow {
  private final Consumer<Tx> writing;
  private boolean isThere;
  private volatile boolean isOver;

  WriteAheadRow(Consumer<Tx> writing) {
    this.writing = writing;
  }

  /// One that is on the disk.
  static WriteAheadRow there() {
    var row = new WriteAheadRow(_ -> {});
    row.isThere = true;
    return row;
  }

  /// One that is written together with what came of its call.
  static WriteAheadRow missing() {
    return new WriteAheadRow(_ -> {});
  }

  /// No fence: even if its agent has ended meanwhile, the call is made.
  boolean write(Tx tx) {
    isThere = false;
    if (!isOver) {
      writing.accept(tx);
      isThere = true;
    }
    return true;
  }

  /// What came of the call is about to be handed in.
  void over() {
    isOver = true;
  }

  /// It could not be kept after all.
  void lost() {
    isThere = false;
  }

  boolean isThere() {
    return isThere;
  }
}
