package dev.substrat.cli.configedit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import java.util.stream.Collectors;

/// Formats JSON values in the layout of an existing text.
final class JsonLayoutFormatter {

  private JsonLayoutFormatter() {}

  /// Objects over several lines, lists on one.
  static String pretty(JsonNode node, String indentation, TextLayout layout) {
    if (!(node instanceof ObjectNode object) || object.isEmpty()) {
      return oneLine(node, true);
    }
    String inside = indentation + layout.indentationStep();
    return object.properties().stream()
        .map(member ->
            inside + name(member.getKey()) + ": " + pretty(member.getValue(), inside, layout))
        .collect(
            Collectors.joining(
                "," + layout.newline(),
                "{" + layout.newline(),
                layout.newline() + indentation + "}"));
  }

  /// On one line, with or without blanks between the parts.
  static String oneLine(JsonNode node, boolean airy) {
    String comma = airy ? ", " : ",";
    return switch (node.getNodeType()) {
      case OBJECT ->
          node.properties().stream()
              .map(member ->
                  name(member.getKey()) + (airy ? ": " : ":") + oneLine(member.getValue(), airy))
              .collect(Collectors.joining(comma, "{", "}"));
      case ARRAY ->
          node.valueStream()
              .map(item -> oneLine(item, airy))
              .collect(Collectors.joining(comma, "[", "]"));
      default -> JsonTree.text(node);
    };
  }

  /// A key in quotes.
  static String name(String key) {
    return JsonTree.text(JsonTree.object().textNode(key));
  }
}
