package dev.substrat.catalog.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.platform.json.Json;
import dev.substrat.team.AgentConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// An agent's configuration for export: without parent, paths of this machine, and anything that is
/// or may be a secret. References such as `${env.NAME}` stay.
///
/// `omitted` lists the removed values as JSON pointers.
public record PortableConfig(ObjectNode config, List<String> omitted) {

  public static PortableConfig of(AgentConfig config) {
    var tree = (ObjectNode) Json.own(Json.text(config));
    tree.remove(List.of("handle", "parent"));
    if (tree.path("workspace") instanceof ObjectNode workspace) {
      workspace.remove(List.of("path", "views"));
    }
    var omitted = new ArrayList<String>();
    new ConfigCleaner(omitted, false).clean(tree, "", "");
    return new PortableConfig(tree, List.copyOf(omitted));
  }

  /// Warnings about secrets written into tools and servers: every reader of the configuration, its
  /// versions or a backup can see them.
  public static List<String> warnings(AgentConfig config) {
    JsonNode tree = Json.own(Json.text(config));
    return of(config).omitted().stream()
        .filter(place -> place.startsWith("/tools/") || place.startsWith("/mcp/"))
        .filter(place -> isCertain(tree, place))
        .map(place ->
            place
                + " looks like a secret in plain text: set an environment variable of the daemon"
                + " and write ${env.NAME} instead")
        .toList();
  }

  private static boolean isCertain(JsonNode tree, String place) {
    int name = place.lastIndexOf('/') + 1;
    return !place.substring(0, name).endsWith("/headers/")
        || SecretDetector.inHeader(place.substring(name), tree.at(place).asText());
  }

  /// The whole configuration for display: of values that are sent to a service or a program only
  /// references and placeholders, of other values everything but recognised secrets. The rest is
  /// `***`.
  public static ObjectNode masked(AgentConfig config) {
    var tree = (ObjectNode) Json.own(Json.text(config));
    new ConfigCleaner(new ArrayList<>(), true).clean(tree, "", "");
    return tree;
  }

  /// Walks through a configuration and omits or masks secrets.
  private record ConfigCleaner(List<String> omitted, boolean isMasking) {
    private static final String SCHEMA = "inputSchema";

    /// Pointers to values that are sent to a service.
    private static final Pattern SENT =
        Pattern.compile("/(body|queryParams|value|headers|env)(/|$)");

    /// `holder` is the key of the object.
    private void clean(ObjectNode object, String holder, String place) {
      boolean isSchema = place.contains("/" + SCHEMA);
      for (Map.Entry<String, JsonNode> entry : List.copyOf(object.properties())) {
        String key = entry.getKey();
        String here = place + "/" + key.replace("~", "~0").replace("/", "~1");
        JsonNode value = entry.getValue();
        if (isMasking && !isSchema && SecretMasking.appliesTo(key)) {
          object.set(key, SecretMasking.of(key, value));
        } else if (isSecret(holder, key, value) || (!isSchema && isSentSecret(key, value, here))) {
          hide(object, key);
          omitted.add(here);
        } else if (value.isTextual()) {
          object.set(key, masked(value, here));
        } else {
          cleanInside(value, key, here);
        }
      }
    }

    private void hide(ObjectNode object, String key) {
      if (isMasking) {
        object.put(key, SecretDetector.HIDDEN);
      } else {
        object.remove(key);
      }
    }

    private void cleanInside(JsonNode value, String key, String here) {
      if (value instanceof ObjectNode inner) {
        clean(inner, key, here);
      } else if (value instanceof ArrayNode items) {
        for (int i = 0; i < items.size(); i++) {
          String place = here + "/" + i;
          if (items.get(i).isTextual() && SecretDetector.in("", key, items.get(i).asText())) {
            items.set(i, new TextNode(SecretDetector.HIDDEN));
            omitted.add(place);
          } else if (items.get(i).isTextual()) {
            items.set(i, masked(items.get(i), place));
          } else {
            cleanInside(items.get(i), key, place);
          }
        }
      }
    }

    /// Without one of its words a command would be another one, so it is omitted completely.
    private static boolean isSecret(String holder, String key, JsonNode value) {
      if (value.isTextual()) {
        return SecretDetector.in(holder, key, value.asText());
      }
      return value.isArray()
          && (key.equals("command") || key.equals("args"))
          && SecretDetector.inWords(value.valueStream().map(JsonNode::asText).toList());
    }

    /// Numbers, lists and objects, too: a PIN is a number.
    private static boolean isSentSecret(String key, JsonNode value, String here) {
      return SENT.matcher(here).find() && SecretDetector.namesSecret(key) && hasLiteral(value);
    }

    private static boolean hasLiteral(JsonNode value) {
      return value.isContainerNode()
          ? value.valueStream().anyMatch(ConfigCleaner::hasLiteral)
          : value.isNumber() || (value.isTextual() && !SecretDetector.isReference(value.asText()));
    }

    private JsonNode masked(JsonNode text, String here) {
      String masked =
          SecretDetector.masked(text.asText(), isMasking ? SecretDetector.HIDDEN : "(redacted)");
      if (masked.equals(text.asText())) {
        return text;
      }
      omitted.add(here);
      return new TextNode(masked);
    }
  }
}
