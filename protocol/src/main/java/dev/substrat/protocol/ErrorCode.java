package dev.substrat.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Error codes. A name never changes.
///
/// Clients match on the name, never on the message. A code may be added, never renamed.
public enum ErrorCode {
  MALFORMED_REQUEST(Kind.CALLER, 400),
  INVALID_ARGUMENTS(Kind.CALLER, 400),
  INVALID_FORMAT(Kind.CALLER, 400),
  UNAUTHORIZED(Kind.CALLER, 401),
  FORBIDDEN(Kind.CALLER, 403),
  NOT_A_MEMBER(Kind.CALLER, 403),
  FOREIGN_HOST(Kind.CALLER, 403),
  FOREIGN_ORIGIN(Kind.CALLER, 403),
  NOT_FOUND(Kind.CALLER, 404),
  AGENT_NOT_FOUND(Kind.CALLER, 404),
  MESSAGE_NOT_FOUND(Kind.CALLER, 404),
  RUN_NOT_FOUND(Kind.CALLER, 404),
  SPACE_NOT_FOUND(Kind.CALLER, 404),
  METHOD_NOT_ALLOWED(Kind.CALLER, 405),
  CONFLICT(Kind.CALLER, 409),
  NAME_TAKEN(Kind.CALLER, 409),
  NAME_CONFUSABLE(Kind.CALLER, 409),
  EXPIRED(Kind.CALLER, 409),
  TOO_LARGE(Kind.CALLER, 413),
  RECIPIENT_UNREACHABLE(Kind.CALLER, 422),
  NO_RECIPIENTS(Kind.CALLER, 422),
  NO_ACTIVE_SPACE(Kind.CALLER, 422),
  LIMIT_REACHED(Kind.LIMIT, 429),
  UNKNOWN_TOOL(Kind.CALLER, 422),
  UNKNOWN_PROVIDER(Kind.CALLER, 422),
  INVALID_CONFIG(Kind.CALLER, 422),
  EXPRESSION_FAILED(Kind.CALLER, 422),
  ADDRESS_BLOCKED(Kind.CALLER, 422),
  PATH_BLOCKED(Kind.CALLER, 422),
  NOT_REPLAYABLE(Kind.CALLER, 422),
  ALREADY_RUNNING(Kind.CALLER, 409),
  SCHEMA_TOO_NEW(Kind.CALLER, 422),
  SCHEMA_CHANGED(Kind.CALLER, 422),
  DATABASE_FOREIGN(Kind.CALLER, 422),
  RATE_LIMITED(Kind.LIMIT, 429),
  BUDGET_EXHAUSTED(Kind.LIMIT, 429),
  DATABASE_LOCKED(Kind.OUTSIDE, 503),
  DATABASE_READ_ONLY(Kind.OUTSIDE, 503),
  DATABASE_CORRUPT(Kind.OUTSIDE, 503),
  DATABASE_CHECKING(Kind.OUTSIDE, 503),
  DATABASE_UNREACHABLE(Kind.OUTSIDE, 503),
  DISK_FULL(Kind.OUTSIDE, 507),
  SANDBOX_UNAVAILABLE(Kind.OUTSIDE, 503),
  SANDBOX_REQUIRED(Kind.CALLER, 422),
  STOPPING(Kind.OUTSIDE, 503),
  INTERRUPTED(Kind.OUTSIDE, 503),
  ADDRESS_IN_USE(Kind.OUTSIDE, 502),
  DAEMON_UNREACHABLE(Kind.OUTSIDE, 502),
  UPSTREAM_ERROR(Kind.OUTSIDE, 502),
  TIMEOUT(Kind.OUTSIDE, 504),
  NO_ANSWER(Kind.OUTSIDE, 504),
  INTERNAL(Kind.BUG, 500);

  /// Who has to act: the caller, the operator (limits), an external system, or the developers.
  public enum Kind {
    CALLER(2),
    LIMIT(3),
    OUTSIDE(4),
    BUG(1);

    private final int exitCode;

    Kind(int exitCode) {
      this.exitCode = exitCode;
    }

    /// Exit code of a failed command.
    public int exitCode() {
      return exitCode;
    }
  }

  private final Kind kind;
  private final int status;

  ErrorCode(Kind kind, int status) {
    this.kind = kind;
    this.status = status;
  }

  public Kind kind() {
    return kind;
  }

  /// The HTTP status that goes with it.
  public int status() {
    return status;
  }

  /// A fault with this code. `message` says what is wrong, `hint` what to do next.
  public Fault fault(String message, String hint) {
    return new Fault(this, message, hint);
  }

  public Fault fault(String message, String hint, @Nullable Throwable cause) {
    return new Fault(this, message, hint, cause);
  }

  public Fault fault(String message, String hint, List<Problem.Detail> details) {
    return new Fault(this, message, hint, details);
  }
}
