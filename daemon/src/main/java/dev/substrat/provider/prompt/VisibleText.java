package dev.substrat.provider.prompt;

/// Escapes hidden characters in foreign text: a model and a person who reads the record see the
/// same.
///
/// Control characters, bidirectional overrides, tag characters and other invisible ones become
/// `⟨U+202E⟩` and the like. They are escaped rather than dropped, because an agent may be asked to
/// find exactly those. Line feeds and tabs stay.
final class VisibleText {
  private VisibleText() {}

  /// A text of several lines.
  static String text(String text) {
    return TextExcerpt.of(text, Integer.MAX_VALUE).text();
  }

  /// A text on one line.
  static String line(String text) {
    return text(text).replace("\n", escaped('\n')).replace("\t", escaped('\t'));
  }

  /// One character, the way it is shown.
  static String shown(int c) {
    return c == '\n' || c == '\t' || !isHidden(c) ? Character.toString(c) : escaped(c);
  }

  private static String escaped(int c) {
    return "⟨U+%04X⟩".formatted(c);
  }

  private static boolean isHidden(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      case Character.FORMAT -> !belongsToScript(c);
      default -> false;
    };
  }

  /// Format characters that people write with: joiners, and the signs that span Arabic, Syriac and
  /// Kaithi numbers.
  private static boolean belongsToScript(int c) {
    return switch (c) {
      case 0x200c, 0x200d -> true;
      case 0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6dd, 0x70f, 0x890, 0x891, 0x8e2 -> true;
      case 0x110bd, 0x110cd -> true;
      default -> false;
    };
  }
}
