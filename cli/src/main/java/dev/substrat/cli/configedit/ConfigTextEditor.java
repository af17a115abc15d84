package dev.substrat.cli.configedit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;

/// In-place editor for one configuration format.
///
/// An editor changes only the entry and may fail on unusual layouts. Therefore [ConfigEntryEditor]
/// parses and verifies every result.
sealed interface ConfigTextEditor permits JsonEditor, TomlEditor, YamlEditor {

  /// Parses the text; a missing node if it is empty.
  JsonNode parse(String text) throws IOException;

  /// The text with `entry` added or replaced at `path`.
  String put(String text, List<String> path, ObjectNode entry) throws IOException;

  /// The text without the entry at `path`, which must exist.
  String remove(String text, List<String> path) throws IOException;
}
