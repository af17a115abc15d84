package dev.substrat.cli.configedit;

import dev.substrat.cli.client.JsonTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Scanner for the statements of a valid TOML text.
///
/// Handles strings and brackets only to skip their content.
final class TomlScanner {
  private final String text;
  private final TextLayout layout;
  private int at;

  private TomlScanner(String text) {
    this.text = text;
    this.layout = new TextLayout(text);
  }

  static List<TomlStatement> statements(String text) {
    return new TomlScanner(text).all();
  }

  private List<TomlStatement> all() {
    var statements = new ArrayList<TomlStatement>();
    List<String> table = List.of();
    for (skipEmptyLines(); at < text.length(); skipEmptyLines()) {
      int start = layout.lineStart(at);
      boolean isHeading = text.charAt(at) == '[';
      List<String> path;
      if (isHeading) {
        at += text.startsWith("[[", at) ? 2 : 1;
        path = keys();
        table = path;
      } else {
        path = new ArrayList<>(table);
        path.addAll(keys());
        at++;
        skipValue();
      }
      at = layout.nextLine(at);
      statements.add(new TomlStatement(List.copyOf(path), isHeading, start, at));
    }
    return statements;
  }

  private void skipEmptyLines() {
    while (at < text.length()) {
      if (text.charAt(at) == '#') {
        at = layout.nextLine(at);
      } else if (Character.isWhitespace(text.charAt(at))) {
        at++;
      } else {
        return;
      }
    }
  }

  /// Reads a dotted key.
  private List<String> keys() {
    var keys = new ArrayList<String>();
    while (true) {
      skipBlanks();
      keys.add(key());
      skipBlanks();
      if (at >= text.length() || text.charAt(at) != '.') {
        return keys;
      }
      at++;
    }
  }

  private void skipBlanks() {
    while (at < text.length() && TextLayout.isBlank(text.charAt(at))) {
      at++;
    }
  }

  private String key() {
    int start = at;
    char first = text.charAt(at);
    if (first == '"' || first == '\'') {
      skipString();
      return first == '"' ? unquoted(start) : text.substring(start + 1, at - 1);
    }
    while (at < text.length() && isBare(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  /// Supports the escapes that TOML shares with JSON.
  private String unquoted(int start) {
    String quoted = text.substring(start, at);
    try {
      return JsonTree.parse(quoted.getBytes(StandardCharsets.UTF_8)).asText();
    } catch (IOException _) {
      return quoted;
    }
  }

  private static boolean isBare(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '-';
  }

  /// Skips to the end of the value and a trailing comment.
  private void skipValue() {
    int depth = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '"' || c == '\'') {
        skipString();
        continue;
      }
      if (c == '#') {
        at = text.indexOf('\n', at) < 0 ? text.length() : text.indexOf('\n', at);
        continue;
      }
      if (c == '\n' && depth == 0) {
        return;
      }
      depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
      at++;
    }
  }

  private void skipString() {
    String quote = text.substring(at, at + 1);
    String three = quote.repeat(3);
    boolean isLong = text.startsWith(three, at);
    String end = isLong ? three : quote;
    at += end.length();
    while (!text.startsWith(end, at)) {
      at += quote.equals("\"") && text.charAt(at) == '\\' ? 2 : 1;
    }
    at += end.length();
    // A multi-line string may end with one or two extra quotes.
    while (isLong && text.startsWith(quote, at)) {
      at++;
    }
  }
}
