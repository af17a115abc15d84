package dev.substrat.console;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reasons are told in parts of sentences, because programs put them together; people read whole
/// ones.
public final class ReasonText {
  /// A full stop ends a sentence where a new one begins: not that of `v2.1`, nor of `e.g. this`.
  private static final Pattern FIRST =
      Pattern.compile("^.*?[.!?](?=\\s+\\p{Lu}|\\s*$)", Pattern.DOTALL);

  private ReasonText() {}

  /// As it begins. A name in front of a colon is spelt as its owner spells it.
  public static String begin(String words) {
    String first = words.split(" ", 2)[0];
    return words.isEmpty() || first.endsWith(":")
        ? words
        : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  /// The first of several, in one line.
  public static String first(String text) {
    Matcher first = FIRST.matcher(text);
    return (first.find() ? first.group() : text).replaceAll("\\s+", " ").strip();
  }

  /// From beginning to end.
  public static String of(String words) {
    return words.isEmpty() ? "" : begin(words) + ".";
  }
}
