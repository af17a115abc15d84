package dev.substrat.cli.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;

/// Prints names and values, one pair per line, aligned.
public final class KeyValueTable {
  private final Map<String, String> facts = new LinkedHashMap<>();

  /// Empty values are omitted.
  public KeyValueTable with(String name, String value) {
    if (!value.isEmpty()) {
      facts.put(name, value);
    }
    return this;
  }

  public KeyValueTable with(String name, JsonNode value) {
    return with(name, value.isNull() ? "" : value.asText());
  }

  public void print(Terminal screen) {
    int width = facts.keySet().stream().mapToInt(String::length).max().orElse(0);
    String margin = "\n" + " ".repeat(width + 2);
    facts.forEach((name, value) -> {
      String padded = name + " ".repeat(width + 2 - name.length());
      screen.line(
          TextStyle.FAINT.paint(padded, screen.hasColours())
              + TerminalText.block(value).stripTrailing().replace("\n", margin));
    });
  }
}
