package dev.substrat.mcp.wire;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/// Tool arguments that the schema marks with `x-mcp-header`: each is repeated in the HTTP header of
/// that name, so that proxies can use it.
public record HeaderArguments(Map<String, JsonPointer> byHeader) {
  public static final HeaderArguments NONE = new HeaderArguments(Map.of());

  /// Those declared in a schema, on properties reachable through properties only.
  public static HeaderArguments of(JsonNode schema) {
    var found = new TreeMap<String, JsonPointer>();
    collect(schema, JsonPointer.empty(), found);
    return found.isEmpty() ? NONE : new HeaderArguments(found);
  }

  private static void collect(JsonNode schema, JsonPointer here, Map<String, JsonPointer> found) {
    schema
        .path("properties")
        .properties()
        .forEach(one -> {
          JsonPointer there = here.appendProperty(one.getKey());
          JsonNode name = one.getValue().path("x-mcp-header");
          if (name.isTextual()) {
            found.put("Mcp-Param-" + name.textValue(), there);
          }
          collect(one.getValue(), there, found);
        });
  }
}
