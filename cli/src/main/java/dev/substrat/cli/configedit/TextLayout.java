package dev.substrat.cli.configedit;

import java.util.regex.Pattern;

/// Layout of a text: line starts, line ends and indentation.
record TextLayout(String text) {
  private static final Pattern MOVED_IN = Pattern.compile("(?m)^([ \\t]+)[\"'\\w]");

  /// The line separator of the first line.
  String newline() {
    int end = text.indexOf('\n');
    return end > 0 && text.charAt(end - 1) == '\r' ? "\r\n" : "\n";
  }

  /// One indentation step, from the first indented line.
  String indentationStep() {
    var match = MOVED_IN.matcher(text);
    return match.find() ? match.group(1) : "  ";
  }

  int lineStart(int offset) {
    return text.lastIndexOf('\n', offset - 1) + 1;
  }

  /// The offset after the end of the line.
  int nextLine(int offset) {
    int end = text.indexOf('\n', offset);
    return end < 0 ? text.length() : end + 1;
  }

  /// The indentation of the line at `offset`.
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

  /// The text, ending with a line separator.
  String withFinalNewline() {
    return text.isEmpty() || text.endsWith("\n") ? text : text + newline();
  }
}
