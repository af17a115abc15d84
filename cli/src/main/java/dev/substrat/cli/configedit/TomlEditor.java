package dev.substrat.cli.configedit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.toml.TomlFactory;
import dev.substrat.cli.client.JsonTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Editor for TOML. Writes an entry as a table; finds entries in any notation.
final class TomlEditor implements ConfigTextEditor {
  private static final String BARE = "[A-Za-z0-9_-]+";

  /// Consecutive statements of the entry, with the comments between them.
  private record StatementRange(int start, int end, boolean hasHeading) {}

  @Override
  public JsonNode parse(String text) throws IOException {
    return JsonTree.parse(text.getBytes(StandardCharsets.UTF_8), new TomlFactory());
  }

  @Override
  public String put(String text, List<String> path, ObjectNode entry) {
    var layout = new TextLayout(text);
    String table = table(path, entry, layout.newline());
    List<StatementRange> runs = runs(text, path);
    if (!runs.isEmpty() && runs.getFirst().hasHeading()) {
      int start = runs.getFirst().start();
      return cut(text, runs).insert(start, table).toString();
    }
    // A table extends to the next heading, so a new one is added before a heading or at the end.
    var rest = new TextLayout(cut(text, runs).toString()).withFinalNewline();
    return rest + (rest.isBlank() ? "" : layout.newline()) + table;
  }

  private static String table(List<String> path, ObjectNode entry, String newline) {
    var table = new StringBuilder("[");
    table.append(path.stream().map(TomlEditor::key).collect(Collectors.joining(".")));
    table.append("]").append(newline);
    entry
        .properties()
        .forEach(member ->
            table
                .append(key(member.getKey()))
                .append(" = ")
                .append(inline(member.getValue()))
                .append(newline));
    return table.toString();
  }

  private static String key(String name) {
    return name.matches(BARE) ? name : JsonLayoutFormatter.name(name);
  }

  /// Strings, numbers and lists have JSON syntax; tables do not.
  private static String inline(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT ->
          node.properties().stream()
              .map(member -> key(member.getKey()) + " = " + inline(member.getValue()))
              .collect(Collectors.joining(", ", "{ ", " }"));
      case ARRAY ->
          node.valueStream().map(TomlEditor::inline).collect(Collectors.joining(", ", "[", "]"));
      default -> JsonTree.text(node);
    };
  }

  @Override
  public String remove(String text, List<String> path) {
    var runs = runs(text, path);
    var result = cut(text, runs);
    // Also removes the empty line before the entry.
    int at = runs.getFirst().start();
    String before = result.substring(0, at);
    String newline = new TextLayout(text).newline();
    boolean isSetApart = before.endsWith(newline + newline) || before.equals(newline);
    boolean joins = result.substring(at).isBlank() || result.substring(at).startsWith(newline);
    return isSetApart && joins
        ? result.delete(at - newline.length(), at).toString()
        : result.toString();
  }

  private static StringBuilder cut(String text, List<StatementRange> runs) {
    var result = new StringBuilder(text);
    runs.reversed().forEach(run -> result.delete(run.start(), run.end()));
    return result;
  }

  private static List<StatementRange> runs(String text, List<String> path) {
    var runs = new ArrayList<StatementRange>();
    boolean goesOn = false;
    for (TomlStatement statement : TomlScanner.statements(text)) {
      boolean isOurs = statement.isWithin(path);
      if (isOurs && goesOn) {
        StatementRange run = runs.removeLast();
        runs.add(new StatementRange(run.start(), statement.end(), run.hasHeading()));
      } else if (isOurs) {
        runs.add(new StatementRange(statement.start(), statement.end(), statement.isHeading()));
      }
      goesOn = isOurs;
    }
    return runs;
  }

  /// Scanner for the statements of a valid TOML text.
  ///
  /// Handles strings and brackets only to skip their content.
  private static final class TomlScanner {
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

  /// A table heading or an assignment: its path from the root and its range of whole lines.
  private record TomlStatement(List<String> path, boolean isHeading, int start, int end) {

    boolean isWithin(List<String> outer) {
      return path.size() >= outer.size() && path.subList(0, outer.size()).equals(outer);
    }
  }
}
