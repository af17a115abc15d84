package dev.substrat.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Error codes. A name never changes.
///
/// Clients match on the name, never on the message. A code may be added, never renamed.
public enum ErrorCode {
  MALFORMED_REQUEST(ErrorKind.CALLER, 400),
  INVALID_ARGUMENTS(ErrorKind.CALLER, 400),
  INVALID_FORMAT(ErrorKind.CALLER, 400),
  UNAUTHORIZED(ErrorKind.CALLER, 401),
  FORBIDDEN(ErrorKind.CALLER, 403),
  NOT_A_MEMBER(ErrorKind.CALLER, 403),
  FOREIGN_HOST(ErrorKind.CALLER, 403),
  FOREIGN_ORIGIN(ErrorKind.CALLER, 403),
  NOT_FOUND(ErrorKind.CALLER, 404),
  AGENT_NOT_FOUND(ErrorKind.CALLER, 404),
  MESSAGE_NOT_FOUND(ErrorKind.CALLER, 404),
  RUN_NOT_FOUND(ErrorKind.CALLER, 404),
  SPACE_NOT_FOUND(ErrorKind.CALLER, 404),
  METHOD_NOT_ALLOWED(ErrorKind.CALLER, 405),
  CONFLICT(ErrorKind.CALLER, 409),
  NAME_TAKEN(ErrorKind.CALLER, 409),
  NAME_CONFUSABLE(ErrorKind.CALLER, 409),
  EXPIRED(ErrorKind.CALLER, 409),
  TOO_LARGE(ErrorKind.CALLER, 413),
  RECIPIENT_UNREACHABLE(ErrorKind.CALLER, 422),
  NO_RECIPIENTS(ErrorKind.CALLER, 422),
  NO_ACTIVE_SPACE(ErrorKind.CALLER, 422),
  LIMIT_REACHED(ErrorKind.LIMIT, 429),
  UNKNOWN_TOOL(ErrorKind.CALLER, 422),
  UNKNOWN_PROVIDER(ErrorKind.CALLER, 422),
  INVALID_CONFIG(ErrorKind.CALLER, 422),
  EXPRESSION_FAILED(ErrorKind.CALLER, 422),
  ADDRESS_BLOCKED(ErrorKind.CALLER, 422),
  PATH_BLOCKED(ErrorKind.CALLER, 422),
  NOT_REPLAYABLE(ErrorKind.CALLER, 422),
  ALREADY_RUNNING(ErrorKind.CALLER, 409),
  SCHEMA_TOO_NEW(ErrorKind.CALLER, 422),
  SCHEMA_CHANGED(ErrorKind.CALLER, 422),
  DATABASE_FOREIGN(ErrorKind.CALLER, 422),
  RATE_LIMITED(ErrorKind.LIMIT, 429),
  BUDGET_EXHAUSTED(ErrorKind.LIMIT, 429),
  DATABASE_LOCKED(ErrorKind.OUTSIDE, 503),
  DATABASE_READ_ONLY(ErrorKind.OUTSIDE, 503),
  DATABASE_CORRUPT(ErrorKind.OUTSIDE, 503),
  DATABASE_CHECKING(ErrorKind.OUTSIDE, 503),
  DATABASE_UNREACHABLE(ErrorKind.OUTSIDE, 503),
  DISK_FULL(ErrorKind.OUTSIDE, 507),
  SANDBOX_UNAVAILABLE(ErrorKind.OUTSIDE, 503),
  SANDBOX_REQUIRED(ErrorKind.CALLER, 422),
  STOPPING(ErrorKind.OUTSIDE, 503),
  INTERRUPTED(ErrorKind.OUTSIDE, 503),
  ADDRESS_IN_USE(ErrorKind.OUTSIDE, 502),
  DAEMON_UNREACHABLE(ErrorKind.OUTSIDE, 502),
  UPSTREAM_ERROR(ErrorKind.OUTSIDE, 502),
  TIMEOUT(ErrorKind.OUTSIDE, 504),
  NO_ANSWER(ErrorKind.OUTSIDE, 504),
  INTERNAL(ErrorKind.BUG, 500);

  /// Who has to act: the caller, the operator (limits), an external system, or the developers.
  public enum ErrorKind {
    CALLER(2),
    LIMIT(3),
    OUTSIDE(4),
    BUG(1);

    private final int exitCode;

    ErrorKind(int exitCode) {
      this.exitCode = exitCode;
    }

    /// Exit code of a failed command.
    public int exitCode() {
      return exitCode;
    }
  }

  private final ErrorKind kind;
  private final int status;

  ErrorCode(ErrorKind kind, int status) {
    this.kind = kind;
    this.status = status;
  }

  public ErrorKind kind() {
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

  public Fault fault(String message, String hint, List<Problem.ProblemDetail> details) {
    return new Fault(this, message, hint, details);
  }
}
