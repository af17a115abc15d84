package dev.substrat.cli.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.terminal.FactTable;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TextTable;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/// Prints the tools of an agent: custom tools first, then remote tools, then built-in tools.
final class ToolPrinter {
  private static final List<String> ORIGINS = List.of("configured", "remote", "builtin");

  /// End of the first sentence: not the dot in `v2.1` or `e.g. this`.
  private static final Pattern SENTENCE =
      Pattern.compile("^.*?[.!?](?=\\s+\\p{Lu}|\\s*$)", Pattern.DOTALL);

  private ToolPrinter() {}

  static void print(JsonNode tools, Terminal screen) {
    var table = TextTable.of("TOOL", "FROM", "RUNS", "VISIBLE", "DESCRIPTION");
    tools
        .valueStream()
        .sorted(
            Comparator.comparingInt(
                    (JsonNode tool) -> ORIGINS.indexOf(tool.path("origin").asText()))
                .thenComparing(ToolPrinter::from))
        .forEach(tool ->
            table.row(
                tool.path("name").asText(),
                from(tool),
                tool.path("executionType").asText(),
                tool.path("visible").asBoolean() ? "yes" : "",
                firstSentence(tool.path("description").asText())));
    table.print(screen);
  }

  /// Prints a tool with its arguments.
  static void printOne(JsonNode tool, Terminal screen) {
    new FactTable()
        .with("tool", tool.path("name"))
        .with("from", from(tool))
        .with("runs", tool.path("executionType").asText(""))
        .with("description", tool.path("description"))
        .print(screen);
    screen.line("");
    List<ToolArguments.Line> lines = new ToolArguments(tool.path("inputSchema")).lines();
    if (lines.isEmpty()) {
      screen.line("no arguments");
      return;
    }
    var table = TextTable.of("ARGUMENT", "TYPE", "REQUIRED", "DESCRIPTION");
    lines.forEach(line ->
        table.wholeRow(line.name(), line.type(), line.isRequired() ? "yes" : "", line.meaning()));
    table.printWhole(screen);
  }

  private static String from(JsonNode tool) {
    return switch (tool.path("origin").asText()) {
      case "configured" -> "own";
      case "remote" -> ("server " + tool.path("server").asText()).strip();
      case "builtin" -> "built in";
      default -> tool.path("origin").asText();
    };
  }

  private static String firstSentence(String text) {
    var sentence = SENTENCE.matcher(text);
    return (sentence.find() ? sentence.group() : text).replaceAll("\\s+", " ").strip();
  }
}
