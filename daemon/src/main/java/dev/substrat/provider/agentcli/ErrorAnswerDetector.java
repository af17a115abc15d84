package dev.substrat.provider.agentcli;

import java.util.Optional;
import java.util.regex.Pattern;

/// Recognises error messages that look like answers: Goose prints a failure of its model like any
/// other text and reports success. Both the beginning and the end of its message must match.
public final class ErrorAnswerDetector {
  private static final Pattern WORDS =
      Pattern.compile(
          "(Ran into this error: .+?)\\n\\nPlease retry if you think this is a transient .+"
              + "|(Network error: .+?)\\n\\nPlease resend your message .+",
          Pattern.DOTALL);

  private ErrorAnswerDetector() {}

  /// The error, if `text` is only an error message.
  public static Optional<String> in(String text) {
    var words = WORDS.matcher(text.strip());
    if (!words.matches()) {
      return Optional.empty();
    }
    return Optional.of(words.group(1) == null ? words.group(2) : words.group(1));
  }
}
