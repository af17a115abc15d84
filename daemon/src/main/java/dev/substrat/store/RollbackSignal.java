package dev.substrat.store;

/// Ends a rehearsal: work that succeeded, and of which nothing is to be kept.
final class RollbackSignal extends RuntimeException {
  RollbackSignal() {
    super("dry run: rolled back", null, false, false);
  }
}
