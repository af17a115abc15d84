package dev.substrat.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/// Normalizes arguments of built-in tools as models write them, before validation.
///
/// * A key in the other spelling (`messageId` for `message_id`) becomes the documented one.
/// * `null`, an empty text or an empty list for an optional argument counts as missing: many models
///   fill in every argument they see.
///
/// The transcript keeps the original arguments.
final class LenientArguments {
  private LenientArguments() {}

  static ObjectNode of(JsonNode schema, ObjectNode arguments) {
    JsonNode properties = schema.path("properties");
    Set<String> required = new HashSet<>();
    schema.path("required").forEach(key -> required.add(key.asText()));
    var meant = Json.object();
    arguments.forEachEntry((given, value) -> {
      String key = documented(given, properties, arguments);
      if (!properties.has(key) || required.contains(key) || !isEmpty(value)) {
        meant.set(key, within(properties.path(key), value));
      }
    });
    return meant;
  }

  private static String documented(String given, JsonNode properties, ObjectNode arguments) {
    return properties.has(given)
        ? given
        : properties
            .propertyStream()
            .map(property -> property.getKey())
            .filter(key -> bare(key).equals(bare(given)) && !arguments.has(key))
            .findFirst()
            .orElse(given);
  }

  private static String bare(String key) {
    return key.replace("_", "").toLowerCase(Locale.ROOT);
  }

  private static boolean isEmpty(JsonNode value) {
    return value.isNull()
        || (value.isTextual() && value.textValue().isBlank())
        || (value.isArray() && value.isEmpty());
  }

  private static JsonNode within(JsonNode schema, JsonNode value) {
    if (value instanceof ObjectNode object && schema.has("properties")) {
      return of(schema, object);
    }
    if (value instanceof ArrayNode array && schema.path("items").has("properties")) {
      var list = Json.object().arrayNode();
      array.forEach(item -> list.add(within(schema.path("items"), item)));
      return list;
    }
    return value;
  }
}
