package dev.substrat.provider;

/// A mind does not do what the record of its turn says it did, so there is no answer for it.
///
/// It ends the thinking, from inside the call that has no answer.
public final class ReplayMismatch extends RuntimeException {
  public ReplayMismatch(String how) {
    super(how);
  }
}
