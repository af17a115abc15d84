package dev.substrat.cli.edit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;

/// How the texts of one format are changed in place.
///
/// An editor looks for the spot and changes only that; it may come out wrong on a text of a shape
/// that nobody thought of. Whoever calls it therefore reads the result again: see [ConfigEntries].
sealed interface TextEditor permits JsonEditor, TomlEditor, YamlEditor {

  /// What the text means; a missing node if it means nothing at all.
  JsonNode parse(String text) throws IOException;

  /// The text with `entry` at `path`, new or in place of what was there.
  String put(String text, List<String> path, ObjectNode entry) throws IOException;

  /// The text without what is at `path`, which must be there.
  String remove(String text, List<String> path) throws IOException;
}
