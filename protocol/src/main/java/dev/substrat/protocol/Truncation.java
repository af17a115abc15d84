package dev.substrat.protocol;

import java.util.Locale;

/// Truncation of texts quoted in answers that must stay small.
public final class Truncation {
  private Truncation() {}

  /// `text` itself, or its first `most` characters and how many are left out.
  public static String of(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return "%s… (%s more characters)"
        .formatted(text.substring(0, end), grouped(text.length() - end));
  }

  /// A number as people read it: 379,980.
  public static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
