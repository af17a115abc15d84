package dev.substrat.cli.configedit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.CollectionNode;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/// A YAML text with in-place changes.
///
/// In block style whole lines are added and removed. In flow style (braces) entries are written as
/// JSON.
final class EditableYaml {
  private static final String PLAIN = "[A-Za-z][A-Za-z0-9_-]*";
  private static final Set<String> SPECIAL =
      Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n");

  private final String text;
  private final TextLayout layout;

  EditableYaml(String text) {
    this.text = text;
    this.layout = new TextLayout(text);
  }

  static @Nullable NodeTuple find(MappingNode mapping, String key) {
    return mapping.getValue().stream()
        .filter(tuple ->
            tuple.getKeyNode() instanceof ScalarNode scalar && scalar.getValue().equals(key))
        .findFirst()
        .orElse(null);
  }

  static boolean isFlow(CollectionNode<?> node) {
    return node.getFlowStyle() == FlowStyle.FLOW;
  }

  /// Converts the library's code point offsets to char offsets.
  private int offset(Mark mark) {
    return text.offsetByCodePoints(0, mark.getIndex());
  }

  String indentation(Node node) {
    return layout.indentation(offset(node.getStartMark()));
  }

  String append(String indentation, String container, String name, ObjectNode entry) {
    return layout.withFinalNewline()
        + indentation
        + container
        + ":"
        + layout.newline()
        + lines(indentation + "  ", name, entry);
  }

  /// Inserts directly below the container's line, so that comments stay above their entries.
  String below(NodeTuple container, String indentation, String name, ObjectNode entry) {
    int at = layout.nextLine(offset(container.getKeyNode().getEndMark()));
    var head = new TextLayout(text.substring(0, at)).withFinalNewline();
    return head + lines(indentation, name, entry) + text.substring(at);
  }

  String inPlaceOfNull(NodeTuple container, String name, ObjectNode entry) {
    Node none = container.getValueNode();
    int start = offset(none.getStartMark());
    int end = offset(none.getEndMark());
    if (start == end) {
      return below(container, indentation(container.getKeyNode()) + "  ", name, entry);
    }
    return text.substring(0, start)
        + "{"
        + JsonLayoutFormatter.name(name)
        + ": "
        + JsonLayoutFormatter.oneLine(entry, true)
        + "}"
        + text.substring(end);
  }

  String intoFlow(MappingNode mapping, String name, JsonNode entry) {
    int at = offset(mapping.getStartMark()) + 1;
    return text.substring(0, at)
        + JsonLayoutFormatter.name(name)
        + ": "
        + JsonLayoutFormatter.oneLine(entry, true)
        + (mapping.getValue().isEmpty() ? "" : ", ")
        + text.substring(at);
  }

  String replacedInFlow(NodeTuple present, ObjectNode entry) {
    return text.substring(0, offset(present.getValueNode().getStartMark()))
        + JsonLayoutFormatter.oneLine(entry, true)
        + text.substring(offset(present.getValueNode().getEndMark()));
  }

  String replaced(NodeTuple present, String name, ObjectNode entry) {
    int start = layout.lineStart(offset(present.getKeyNode().getStartMark()));
    return text.substring(0, start)
        + lines(indentation(present.getKeyNode()), name, entry)
        + text.substring(layout.nextLine(contentEnd(present)));
  }

  /// Writes `{}` for an empty container: a key without a value would be null.
  String without(NodeTuple container, MappingNode entries, NodeTuple present) {
    int start = layout.lineStart(offset(present.getKeyNode().getStartMark()));
    String rest = text.substring(0, start) + text.substring(layout.nextLine(contentEnd(present)));
    if (entries.getValue().size() > 1) {
      return rest;
    }
    int colon = text.indexOf(':', offset(container.getKeyNode().getEndMark())) + 1;
    return rest.substring(0, colon) + " {}" + rest.substring(colon);
  }

  String withoutInFlow(MappingNode entries, NodeTuple present) {
    int index = entries.getValue().indexOf(present);
    int start = offset(present.getKeyNode().getStartMark());
    int end = offset(present.getValueNode().getEndMark());
    if (index < entries.getValue().size() - 1) {
      end = offset(entries.getValue().get(index + 1).getKeyNode().getStartMark());
    } else if (index > 0) {
      start = offset(entries.getValue().get(index - 1).getValueNode().getEndMark());
    }
    return text.substring(0, start) + text.substring(end);
  }

  /// The end of the last node in a block. The library's end mark includes comments and empty lines
  /// up to the next key.
  private int contentEnd(NodeTuple tuple) {
    int end = offset(tuple.getKeyNode().getEndMark());
    int last = contentEnd(tuple.getValueNode());
    while (last > end && Character.isWhitespace(text.charAt(last - 1))) {
      last--;
    }
    return Math.max(end, last);
  }

  private int contentEnd(Node node) {
    return switch (node) {
      case MappingNode block when !isFlow(block) && !block.getValue().isEmpty() ->
          contentEnd(block.getValue().getLast());
      case CollectionNode<?> block
          when !isFlow(block)
              && !block.getValue().isEmpty()
              && block.getValue().getLast() instanceof Node item ->
          contentEnd(item);
      default -> offset(node.getEndMark());
    };
  }

  private String lines(String indentation, String name, ObjectNode entry) {
    var lines = new StringBuilder(indentation + scalar(name) + ":" + layout.newline());
    entry
        .properties()
        .forEach(member ->
            lines
                .append(indentation)
                .append("  ")
                .append(scalar(member.getKey()))
                .append(": ")
                .append(value(member.getValue()))
                .append(layout.newline()));
    return lines.toString();
  }

  private static String value(JsonNode node) {
    return node.isTextual() ? scalar(node.asText()) : JsonLayoutFormatter.oneLine(node, true);
  }

  /// Unquoted if YAML reads it as text.
  private static String scalar(String word) {
    boolean isPlain = word.matches(PLAIN) && !SPECIAL.contains(word.toLowerCase(Locale.ROOT));
    return isPlain ? word : JsonLayoutFormatter.name(word);
  }
}
