package dev.substrat.cli.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Table with aligned columns. Escapes control characters in cells.
public final class TextTable {
  private static final int WIDEST = 60;

  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  private TextTable(List<String> header) {
    this.header = header;
  }

  public static TextTable of(String... header) {
    return new TextTable(List.of(header));
  }

  /// Adds a row whose last cell is not cut.
  public TextTable wholeRow(String... cells) {
    row(cells);
    rows.getLast().set(cells.length - 1, TerminalText.block(cells[cells.length - 1]));
    return this;
  }

  /// Adds a row with these fields of `object`. A field whose name ends in `At`, or is `at`, is a
  /// time.
  public TextTable row(JsonNode object, String... fields) {
    return row(
        Stream.of(fields).map(field -> cell(field, object.path(field))).toArray(String[]::new));
  }

  private static String cell(String field, JsonNode value) {
    return field.endsWith("At") || field.equals("at") ? RelativeTime.time(value) : value.asText("");
  }

  public TextTable row(String... cells) {
    var row = new ArrayList<String>();
    for (int i = 0; i < cells.length; i++) {
      // The last column needs no alignment.
      row.add(TerminalText.cut(cells[i], i == cells.length - 1 ? 2 * WIDEST : WIDEST));
    }
    rows.add(row);
    return this;
  }

  /// Prints cells without cutting them: long text wraps to the next line.
  public void printWhole(Terminal screen) {
    int last = header.size() - 1;
    var widths = new int[header.size()];
    measure(header, widths);
    rows.forEach(row -> measure(row, widths));
    int margin = 0;
    for (int i = 0; i < last; i++) {
      margin += widths[i] + 2;
    }
    screen.line(TextStyle.FAINT.paint(aligned(header, widths), screen.hasColours()));
    for (List<String> row : rows) {
      var cells = new ArrayList<>(row);
      List<String> lines = lines(row.get(last), screen, margin);
      cells.set(last, lines.getFirst());
      screen.line(aligned(cells, widths));
      for (String line : lines.subList(1, lines.size())) {
        screen.line(" ".repeat(margin) + line);
      }
    }
  }

  /// Keeps line ends on a terminal; in a pipe each row is one line.
  private static List<String> lines(String text, Terminal screen, int margin) {
    if (!screen.outIsTerminal() || text.isBlank()) {
      return List.of(TerminalText.line(text));
    }
    return text.stripTrailing()
        .replace('\t', ' ')
        .lines()
        .flatMap(line -> TerminalText.wrapped(line, screen.columns() - margin).stream())
        .toList();
  }

  public void print(Terminal screen) {
    var widths = new int[header.size()];
    measure(header, widths);
    rows.forEach(row -> measure(row, widths));
    screen.line(TextStyle.FAINT.paint(aligned(header, widths), screen.hasColours()));
    rows.forEach(row -> screen.line(aligned(row, widths)));
  }

  private static void measure(List<String> row, int[] widths) {
    for (int i = 0; i < row.size(); i++) {
      widths[i] = Math.max(widths[i], TerminalText.width(row.get(i)));
    }
  }

  private static String aligned(List<String> row, int[] widths) {
    var line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      line.append(row.get(i));
      if (i < row.size() - 1) {
        line.repeat(' ', widths[i] - TerminalText.width(row.get(i)) + 2);
      }
    }
    return line.toString().stripTrailing();
  }
}
