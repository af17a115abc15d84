package dev.substrat.mcp.wire;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/// Arguments of a tool that its schema wants repeated in a header each, so that whatever stands
/// between server and client can act by them: `x-mcp-header` in the schema names the header.
public record HeaderArguments(Map<String, JsonPointer> byHeader) {
  public static final HeaderArguments NONE = new HeaderArguments(Map.of());

  /// The ones a schema asks for: on properties that can be reached through properties alone.
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
