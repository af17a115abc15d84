package dev.substrat.bridge;

/// Error with code, reason and hint.
public final class BridgeError extends RuntimeException {
  private final String code;
  private final String reason;
  private final String hint;

  /// `code` is one of the daemon's error codes.
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
