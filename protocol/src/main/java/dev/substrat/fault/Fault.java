package dev.substrat.fault;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The one exception: thrown where the reason is known, turned into an answer at the edges.
///
/// The message says what is wrong in the reader's words; the hint says what to try next. Half of
/// our readers are agents, to whom an error is a prompt.
public final class Fault extends RuntimeException {
  private final ErrorCode code;
  private final String message;
  private final String hint;
  private final transient List<Problem.Detail> details;

  public Fault(ErrorCode code, String message, String hint) {
    this(code, message, hint, List.of(), null);
  }

  public Fault(ErrorCode code, String message, String hint, @Nullable Throwable cause) {
    this(code, message, hint, List.of(), cause);
  }

  public Fault(ErrorCode code, String message, String hint, List<Problem.Detail> details) {
    this(code, message, hint, details, null);
  }

  private Fault(
      ErrorCode code,
      String message,
      String hint,
      List<Problem.Detail> details,
      @Nullable Throwable cause) {
    super(code + ": " + message, cause);
    this.code = code;
    this.message = message;
    this.hint = hint;
    this.details = List.copyOf(details);
  }

  public ErrorCode code() {
    return code;
  }

  public String message() {
    return message;
  }

  public String hint() {
    return hint;
  }

  public Problem problem() {
    var problem = Problem.of(code, message, hint);
    return details.isEmpty() ? problem : problem.with(details);
  }
}
