package dev.substrat.console;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Turns error messages and reasons, which are lower-case fragments, into sentences.
public final class ReasonFormatter {
  /// A full stop ends a sentence only before a capital letter: not in `v2.1` or `e.g. this`.
  private static final Pattern FIRST =
      Pattern.compile("^.*?[.!?](?=\\s+\\p{Lu}|\\s*$)", Pattern.DOTALL);

  /// A spelling suggestion and the start of the next sentence.
  private static final Pattern SUGGESTION =
      Pattern.compile("(?i)(did you mean [^?]{1,300}\\? )(\\p{Ll})");

  private ReasonFormatter() {}

  /// Sentences start with capital letters. A name before a colon keeps its spelling.
  public static String capitalised(String words) {
    String first = words.split(" ", 2)[0];
    return words.isEmpty() || first.endsWith(":")
        ? withSuggestion(words)
        : words.substring(0, 1).toUpperCase(Locale.ROOT) + withSuggestion(words).substring(1);
  }

  /// Capitalises the sentence after a spelling suggestion.
  public static String withSuggestion(String words) {
    return SUGGESTION
        .matcher(words)
        .replaceAll(match ->
            Matcher.quoteReplacement(match.group(1) + match.group(2).toUpperCase(Locale.ROOT)));
  }

  /// First sentence, on one line.
  public static String first(String text) {
    Matcher first = FIRST.matcher(text);
    return (first.find() ? first.group() : text).replaceAll("\\s+", " ").strip();
  }

  /// Capitalised, with a full stop or its own punctuation mark.
  public static String sentence(String words) {
    return words.isEmpty() ? "" : capitalised(words) + (words.matches("(?s).*[.?!]") ? "" : ".");
  }
}
