package dev.substrat.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The agents that read a tool's texts: whether they have turns, and their toolsets.
///
/// Marked parts of a text are for some agents only: `[[turn|End your turn.]]` for agents whose
/// turns the daemon runs, `[[external|…]]` for external agents, `[[memory|…]]` for agents with that
/// toolset.
record ToolAudience(Set<String> tags) {
  private static final Pattern MARKED = Pattern.compile("\\[\\[(\\w+)\\|(.*?)]]", Pattern.DOTALL);
  private static final String DESCRIPTION = "description";

  static ToolAudience of(Set<String> toolsets, boolean isExternal) {
    var tags = new HashSet<>(toolsets);
    tags.add(isExternal ? "external" : "turn");
    return new ToolAudience(Set.copyOf(tags));
  }

  /// The text as this audience reads it.
  String text(String marked) {
    return MARKED
        .matcher(marked)
        .replaceAll(
            part -> tags.contains(part.group(1)) ? Matcher.quoteReplacement(part.group(2)) : "")
        .strip();
  }

  /// The same schema with its descriptions as this audience reads them.
  JsonNode schema(JsonNode schema) {
    JsonNode copy = schema.deepCopy();
    copy.findParents(DESCRIPTION)
        .forEach(node -> {
          if (node instanceof ObjectNode described && node.path(DESCRIPTION).isTextual()) {
            described.put(DESCRIPTION, text(node.path(DESCRIPTION).asText()));
          }
        });
    return copy;
  }

  static boolean isMarked(ToolDescription tool) {
    return MARKED.matcher(tool.description()).find()
        || MARKED.matcher(tool.input().json().toString()).find();
  }
}
