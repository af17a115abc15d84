package dev.substrat.cli.edit;

import java.util.regex.Pattern;

/// How a text is laid out: where its lines begin, how they end, how far they are moved in.
record TextLayout(String text) {
  private static final Pattern MOVED_IN = Pattern.compile("(?m)^([ \\t]+)[\"'\\w]");

  /// What the first line ends with.
  String newline() {
    int end = text.indexOf('\n');
    return end > 0 && text.charAt(end - 1) == '\r' ? "\r\n" : "\n";
  }

  /// One step inwards, as the first line does it that is moved in at all.
  String step() {
    var match = MOVED_IN.matcher(text);
    return match.find() ? match.group(1) : "  ";
  }

  int lineStart(int offset) {
    return text.lastIndexOf('\n', offset - 1) + 1;
  }

  /// After the end of the line, whatever it is.
  int nextLine(int offset) {
    int end = text.indexOf('\n', offset);
    return end < 0 ? text.length() : end + 1;
  }

  /// Blanks at the beginning of the line on which `offset` stands.
  String indentation(int offset) {
    int start = lineStart(offset);
    int end = start;
    while (end < text.length() && isBlank(text.charAt(end))) {
      end++;
    }
    return text.substring(start, end);
  }

  boolean isFirstOnLine(int offset) {
    return text.substring(lineStart(offset), offset).isBlank();
  }

  boolean isLastOnLine(int offset) {
    return text.substring(offset, nextLine(offset)).isBlank();
  }

  static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  /// The text, ready for another line.
  String closed() {
    return text.isEmpty() || text.endsWith("\n") ? text : text + newline();
  }
}
