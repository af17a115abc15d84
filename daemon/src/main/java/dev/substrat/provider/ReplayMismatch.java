package dev.substrat.provider;

/// Thrown when a provider makes a call that the record of its turn has no answer for.
///
/// It ends the turn from inside that call.
public final class ReplayMismatch extends RuntimeException {
  public ReplayMismatch(String how) {
    super(how);
  }
}
