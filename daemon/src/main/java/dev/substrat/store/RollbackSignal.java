package dev.substrat.store;

/// Exception that rolls back a dry run whose work succeeded.
final class RollbackSignal extends RuntimeException {
  RollbackSignal() {
    super("dry run: rolled back", null, false, false);
  }
}
