package dev.substrat.provider.agentcli.known;

import dev.substrat.platform.json.Json;
import java.util.List;
import java.util.stream.Collectors;

/// Writer of the TOML that Codex needs. Values come before tables, because everything after a
/// table's header belongs to it.
final class TomlWriter {
  private final StringBuilder text = new StringBuilder();

  TomlWriter put(String key, String value) {
    return line(key, quoted(value));
  }

  TomlWriter put(String key, boolean value) {
    return line(key, String.valueOf(value));
  }

  TomlWriter put(String key, int value) {
    return line(key, String.valueOf(value));
  }

  TomlWriter put(String key, List<String> values) {
    return line(
        key, values.stream().map(TomlWriter::quoted).collect(Collectors.joining(", ", "[", "]")));
  }

  TomlWriter table(String name) {
    text.append("\n[").append(name).append("]\n");
    return this;
  }

  private TomlWriter line(String key, String value) {
    text.append(key).append(" = ").append(value).append('\n');
    return this;
  }

  /// What is quoted for JSON is quoted for TOML, but for one character.
  private static String quoted(String value) {
    return Json.text(value).replace("\u007f", "\\u007f");
  }

  String text() {
    return text.toString();
  }
}
