package dev.substrat.http.client;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A request that got no response, and the reason.
///
/// Its message is safe to show: it contains the host at most, never the path, the query or what was
/// sent, because any of these may contain a secret.
public final class OutgoingFailure extends RuntimeException {
  private final FailureReason reason;
  private final String message;
  private final String hint;
  private final boolean isUnsent;

  /// Stable reason codes of failures.
  public enum FailureReason {
    /// The address is not allowed.
    BLOCKED(ErrorCode.ADDRESS_BLOCKED),
    /// Not a valid URL.
    BAD_URL(ErrorCode.INVALID_ARGUMENTS),
    /// A method or header that cannot be sent.
    BAD_REQUEST(ErrorCode.INVALID_ARGUMENTS),
    DNS_FAILED(ErrorCode.UPSTREAM_ERROR),
    /// Connection refused, or no route to the host.
    REFUSED(ErrorCode.UPSTREAM_ERROR),
    TLS_FAILED(ErrorCode.UPSTREAM_ERROR),
    TIMED_OUT(ErrorCode.TIMEOUT),
    TOO_LARGE(ErrorCode.UPSTREAM_ERROR),
    /// The connection was closed, or the response is malformed.
    BROKEN(ErrorCode.UPSTREAM_ERROR),
    /// Cancelled by the caller: its thread was interrupted or the response closed.
    CANCELLED(ErrorCode.UPSTREAM_ERROR);

    private final ErrorCode code;

    FailureReason(ErrorCode code) {
      this.code = code;
    }

    public ErrorCode code() {
      return code;
    }

    /// The stable code: `dns_failed`.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public OutgoingFailure(FailureReason reason, String message, String hint) {
    this(reason, message, hint, null);
  }

  OutgoingFailure(FailureReason reason, String message, String hint, @Nullable Throwable cause) {
    this(reason, message, hint, cause, false);
  }

  private OutgoingFailure(
      FailureReason reason,
      String message,
      String hint,
      @Nullable Throwable cause,
      boolean isUnsent) {
    super(reason.word() + ": " + message, cause);
    this.reason = reason;
    this.message = message;
    this.hint = hint;
    this.isUnsent = isUnsent;
  }

  /// The same, for a request of which nothing was sent.
  OutgoingFailure unsent() {
    return new OutgoingFailure(reason, message, hint, this, true);
  }

  public FailureReason reason() {
    return reason;
  }

  public String message() {
    return message;
  }

  public String hint() {
    return hint;
  }

  /// True only if nothing was sent, so that the request cannot have been executed.
  public boolean isUnsent() {
    return isUnsent;
  }

  /// The same as a fault for the caller.
  public Fault fault() {
    return new Fault(reason.code(), message, hint, this);
  }
}
