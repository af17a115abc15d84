package dev.substrat.protocol;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// JSON form of a failure. `details` is set when several places in the request are wrong.
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record Problem(
    boolean error,
    String code,
    String message,
    String hint,
    @Nullable List<ProblemDetail> details) {

  /// One wrong place: a JSON pointer into the request, and what is wrong there.
  public record ProblemDetail(String pointer, String message) {
    private static final Pattern PLACED = Pattern.compile("(/[\\w/~-]+):?\\s+(.*)", Pattern.DOTALL);

    /// A message that has its place in front of it; empty if it has none.
    public static Optional<ProblemDetail> placed(String message) {
      Matcher placed = PLACED.matcher(message);
      return placed.matches()
          ? Optional.of(new ProblemDetail(placed.group(1), placed.group(2)))
          : Optional.empty();
    }
  }

  public static Problem of(ErrorCode code, String message, String hint) {
    return new Problem(true, code.name(), message, hint, null);
  }

  public Problem with(List<ProblemDetail> details) {
    return new Problem(error, code, message, hint, List.copyOf(details));
  }
}
