package dev.substrat.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The exception of this project: thrown where the reason is known, translated to an answer at the
/// edges.
///
/// The message says what is wrong; the hint says what to do next. Half of the readers are agents,
/// for whom an error is a prompt.
///
/// A fault quotes input, so its parts are truncated here: no answer to bad input is larger than
/// about 20 KB, whatever the input was.
public final class Fault extends RuntimeException {
  /// Maximum number of details of a fault; collectors of problems can stop there.
  public static final int MAX_DETAILS = 20;

  private static final int MAX_TEXT_LENGTH = 4_000;
  private static final int MAX_DETAIL_LENGTH = 300;

  private final ErrorCode code;
  private final String message;
  private final String hint;
  private final transient List<Problem.ProblemDetail> details;

  public Fault(ErrorCode code, String message, String hint) {
    this(code, message, hint, List.of(), null);
  }

  public Fault(ErrorCode code, String message, String hint, @Nullable Throwable cause) {
    this(code, message, hint, List.of(), cause);
  }

  public Fault(ErrorCode code, String message, String hint, List<Problem.ProblemDetail> details) {
    this(code, message, hint, details, null);
  }

  private Fault(
      ErrorCode code,
      String message,
      String hint,
      List<Problem.ProblemDetail> details,
      @Nullable Throwable cause) {
    super(code + ": " + Truncation.of(message, MAX_TEXT_LENGTH), cause);
    this.code = code;
    this.message = Truncation.of(message, MAX_TEXT_LENGTH);
    this.hint = Truncation.of(hint, MAX_TEXT_LENGTH);
    this.details = details.stream().limit(MAX_DETAILS).map(Fault::cut).toList();
  }

  private static Problem.ProblemDetail cut(Problem.ProblemDetail detail) {
    return new Problem.ProblemDetail(
        Truncation.of(detail.pointer(), MAX_DETAIL_LENGTH),
        Truncation.of(detail.message(), MAX_DETAIL_LENGTH));
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
