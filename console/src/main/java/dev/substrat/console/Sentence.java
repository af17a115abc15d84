package dev.substrat.console;

import java.util.Locale;

/// Reasons are told in parts of sentences, because programs put them together; people read whole
/// ones.
public final class Sentence {
  private Sentence() {}

  /// As it begins. A name in front of a colon is spelt as its owner spells it.
  public static String begin(String words) {
    String first = words.split(" ", 2)[0];
    return words.isEmpty() || first.endsWith(":")
        ? words
        : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  /// From beginning to end.
  public static String of(String words) {
    return words.isEmpty() ? "" : begin(words) + ".";
  }
}
