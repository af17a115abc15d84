package dev.substrat.store;

/// Ends a rehearsal: work that succeeded, and of which nothing is to be kept.
final class RollbackSignal extends RuntimeException {
  RollbackSignal() {
    super("only rehearsed", null, false, false);
  }
}
