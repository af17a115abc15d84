package dev.substrat.bridge;

/// Something cannot be done, and the reader can be told why and what to try next.
public final class BridgeError extends RuntimeException {
  private final String code;
  private final String reason;
  private final String hint;

  /// `code` is one of the daemon's, so that programs find the same word whoever refuses.
  BridgeError(String code, String reason, String hint) {
    super(reason, null, false, false);
    this.code = code;
    this.reason = reason;
    this.hint = hint;
  }

  public String code() {
    return code;
  }

  public String reason() {
    return reason;
  }

  public String hint() {
    return hint;
  }
}
