package dev.substrat.provider.cli;

import java.util.Optional;
import java.util.regex.Pattern;

/// What looks like an answer and is none: Goose says that its model failed in the same way as it
/// says anything else, and then that all is well. Its own words stand around what went wrong, so
/// both ends of them must be there.
public final class ErrorAnswer {
  private static final Pattern WORDS =
      Pattern.compile(
          "(Ran into this error: .+?)\\n\\nPlease retry if you think this is a transient .+"
              + "|(Network error: .+?)\\n\\nPlease resend your message .+",
          Pattern.DOTALL);

  private ErrorAnswer() {}

  /// What went wrong, if `text` is nothing but that.
  public static Optional<String> in(String text) {
    var words = WORDS.matcher(text.strip());
    if (!words.matches()) {
      return Optional.empty();
    }
    return Optional.of(words.group(1) == null ? words.group(2) : words.group(1));
  }
}
