package dev.substrat.cli.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.JsonTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Arguments of a tool from its schema, one line each, including nested ones: `goals[].id`.
public record ToolArgumentList(JsonNode schema) {
  /// Limit for recursive schemas.
  private static final int DEEPEST = 4;

  /// One argument.
  public record ToolArgument(String name, String type, boolean isRequired, String meaning) {}

  public List<ToolArgument> lines() {
    var lines = new ArrayList<ToolArgument>();
    add(schema, "", lines, 0);
    return List.copyOf(lines);
  }

  private static void add(JsonNode object, String prefix, List<ToolArgument> lines, int depth) {
    Set<String> required = new HashSet<>();
    object.path("required").forEach(name -> required.add(name.asText()));
    object
        .path("properties")
        .properties()
        .forEach(property -> {
          String name = prefix + property.getKey();
          JsonNode one = property.getValue();
          lines.add(
              new ToolArgument(
                  name, type(one), required.contains(property.getKey()), meaning(one)));
          if (depth < DEEPEST) {
            add(one, name + ".", lines, depth + 1);
            add(one.path("items"), name + "[].", lines, depth + 1);
          }
        });
  }

  private static String type(JsonNode one) {
    if (one.path("enum").isArray()) {
      return one.path("enum").valueStream().map(JsonTree::text).collect(Collectors.joining(" or "));
    }
    if (one.path("anyOf").isArray()) {
      return one.path("anyOf")
          .valueStream()
          .map(ToolArgumentList::type)
          .distinct()
          .collect(Collectors.joining(" or "));
    }
    if (one.path("type").isArray()) {
      return one.path("type")
          .valueStream()
          .map(JsonNode::asText)
          .collect(Collectors.joining(" or "));
    }
    String type = one.path("type").asText("anything");
    return type.equals("array") && one.has("items") ? "list of " + type(one.path("items")) : type;
  }

  private static String meaning(JsonNode one) {
    String said = one.path("description").asText("").replaceAll("\\s+", " ").strip();
    return one.has("default")
        ? (said + " Default: " + JsonTree.text(one.path("default")) + ".").strip()
        : said;
  }
}
