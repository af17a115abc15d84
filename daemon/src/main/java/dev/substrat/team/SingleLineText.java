package dev.substrat.team;

/// Text on one line of a prompt, sanitized so that it cannot imitate the lines around it.
final class SingleLineText {
  private SingleLineText() {}

  static boolean is(String text, int longest) {
    return !text.isBlank()
        && text.length() <= longest
        && text.chars().noneMatch(c -> c < ' ' || c == '\u2028' || c == '\u2029' || c == '\u0085');
  }
}
