package dev.substrat.team;

/// A text that stands on one line of a prompt, and cannot pass for anything beside it.
final class SingleLineText {
  private SingleLineText() {}

  static boolean is(String text, int longest) {
    return !text.isBlank()
        && text.length() <= longest
        && text.chars().noneMatch(c -> c < ' ' || c == '\u2028' || c == '\u2029' || c == '\u0085');
  }
}
