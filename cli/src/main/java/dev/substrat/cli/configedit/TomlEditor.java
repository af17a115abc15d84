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
  private record Run(int start, int end, boolean hasHeading) {}

  @Override
  public JsonNode parse(String text) throws IOException {
    return JsonTree.parse(text.getBytes(StandardCharsets.UTF_8), new TomlFactory());
  }

  @Override
  public String put(String text, List<String> path, ObjectNode entry) {
    var layout = new TextLayout(text);
    String table = table(path, entry, layout.newline());
    List<Run> runs = runs(text, path);
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
    return name.matches(BARE) ? name : JsonLines.name(name);
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

  private static StringBuilder cut(String text, List<Run> runs) {
    var result = new StringBuilder(text);
    runs.reversed().forEach(run -> result.delete(run.start(), run.end()));
    return result;
  }

  private static List<Run> runs(String text, List<String> path) {
    var runs = new ArrayList<Run>();
    boolean goesOn = false;
    for (TomlStatement statement : TomlScanner.statements(text)) {
      boolean isOurs = statement.isWithin(path);
      if (isOurs && goesOn) {
        Run run = runs.removeLast();
        runs.add(new Run(run.start(), statement.end(), run.hasHeading()));
      } else if (isOurs) {
        runs.add(new Run(statement.start(), statement.end(), statement.isHeading()));
      }
      goesOn = isOurs;
    }
    return runs;
  }
}
