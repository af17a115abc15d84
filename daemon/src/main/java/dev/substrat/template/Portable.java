package dev.substrat.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.json.Json;
import dev.substrat.team.AgentConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// An agent's configuration as it may leave the daemon: without its place here, and without
/// anything that is, or may be, a secret. References such as `${env.NAME}` name a secret and stay.
///
/// `omitted` says where something was left out, as JSON pointers.
public record Portable(ObjectNode config, List<String> omitted) {

  public static Portable of(AgentConfig config) {
    var tree = (ObjectNode) Json.own(Json.text(config));
    tree.remove(List.of("handle", "parent"));
    var omitted = new ArrayList<String>();
    clean(tree, "", "", omitted);
    return new Portable(tree, List.copyOf(omitted));
  }

  /// `holder` is the key under which the object stands.
  private static void clean(ObjectNode object, String holder, String place, List<String> omitted) {
    for (Map.Entry<String, JsonNode> entry : List.copyOf(object.properties())) {
      String key = entry.getKey();
      String here = place + "/" + key.replace("~", "~0").replace("/", "~1");
      JsonNode value = entry.getValue();
      if (value.isTextual() ? Telltale.in(holder, key, value.asText()) : isTelling(key, value)) {
        object.remove(key);
        omitted.add(here);
      } else if (value.isTextual()) {
        object.set(key, masked(value, here, omitted));
      } else {
        cleanInside(value, key, here, omitted);
      }
    }
  }

  private static void cleanInside(JsonNode value, String key, String here, List<String> omitted) {
    if (value instanceof ObjectNode inner) {
      clean(inner, key, here, omitted);
    } else if (value instanceof ArrayNode items) {
      for (int i = 0; i < items.size(); i++) {
        String place = here + "/" + i;
        if (items.get(i).isTextual()) {
          items.set(i, masked(items.get(i), place, omitted));
        } else {
          cleanInside(items.get(i), key, place, omitted);
        }
      }
    }
  }

  /// A command without one of its words is another command, so all of it goes.
  private static boolean isTelling(String key, JsonNode value) {
    return value.isArray()
        && (key.equals("command") || key.equals("args"))
        && Telltale.inWords(value.valueStream().map(JsonNode::asText).toList());
  }

  private static JsonNode masked(JsonNode text, String here, List<String> omitted) {
    String masked = Telltale.masked(text.asText());
    if (masked.equals(text.asText())) {
      return text;
    }
    omitted.add(here);
    return new TextNode(masked);
  }
}
