package dev.substrat.toolset.custom.middleware;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.platform.json.Json;
import dev.substrat.team.toolconfig.MiddlewareConfig;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Removes the values of configured keys from results, at any depth.
public record RedactMiddleware(Set<String> keys) {
  private static final JsonNode GONE = new TextNode("[redacted]");

  /// All redactions of a list of middleware.
  public static RedactMiddleware of(List<MiddlewareConfig> list) {
    var keys = new HashSet<String>();
    list.stream()
        .filter(one -> one.name().equals("redact"))
        .forEach(one -> one.options().path("keys").forEach(key -> keys.add(key.asText())));
    return new RedactMiddleware(keys);
  }

  public static RedactMiddleware of(Collection<String> keys) {
    return new RedactMiddleware(Set.copyOf(keys));
  }

  public boolean isNone() {
    return keys.isEmpty();
  }

  public ObjectNode without(ObjectNode value) {
    if (isNone()) {
      return value;
    }
    var rest = Json.object();
    value
        .properties()
        .forEach(entry ->
            rest.set(
                entry.getKey(), keys.contains(entry.getKey()) ? GONE : without(entry.getValue())));
    return rest;
  }

  private JsonNode without(JsonNode value) {
    if (value instanceof ObjectNode object) {
      return without(object);
    }
    if (value.isArray()) {
      var items = Json.object().putArray("items");
      value.forEach(item -> items.add(without(item)));
      return items;
    }
    return value;
  }
}
