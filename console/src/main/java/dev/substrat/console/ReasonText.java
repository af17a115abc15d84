package dev.substrat.console;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Turns error messages and reasons, which are lower-case fragments, into sentences.
public final class ReasonText {
  /// A full stop ends a sentence only before a capital letter: not in `v2.1` or `e.g. this`.
  private static final Pattern FIRST =
      Pattern.compile("^.*?[.!?](?=\\s+\\p{Lu}|\\s*$)", Pattern.DOTALL);

  private ReasonText() {}

  /// Capitalised. A name before a colon keeps its spelling.
  public static String capitalised(String words) {
    String first = words.split(" ", 2)[0];
    return words.isEmpty() || first.endsWith(":")
        ? words
        : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  /// First sentence, on one line.
  public static String first(String text) {
    Matcher first = FIRST.matcher(text);
    return (first.find() ? first.group() : text).replaceAll("\\s+", " ").strip();
  }

  /// Capitalised, with a full stop.
  public static String sentence(String words) {
    return words.isEmpty() ? "" : capitalised(words) + ".";
  }
}
