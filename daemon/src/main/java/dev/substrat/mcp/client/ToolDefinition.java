package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.ContentHash;
import dev.substrat.platform.json.Json;
import java.util.List;

/// Tool as its server describes it: exactly what a model or a person sees. `json` is never changed.
/// `hash` identifies the definition, independent of the order of its keys; every call needs it.
public record ToolDefinition(ObjectNode json, String hash) {
  /// Keys of a definition that are kept; all others are dropped.
  private static final List<String> KEPT_KEYS =
      List.of("name", "title", "description", "inputSchema", "outputSchema", "annotations");

  public ToolDefinition(ObjectNode json) {
    this(json, ContentHash.of(json));
  }

  /// Keeps the relevant keys of a server's definition.
  static ToolDefinition of(JsonNode said) {
    var kept = Json.object();
    for (String key : KEPT_KEYS) {
      if (said.hasNonNull(key)) {
        kept.set(key, said.get(key));
      }
    }
    return new ToolDefinition(kept);
  }

  public String name() {
    return json.path("name").asText();
  }

  public String description() {
    return json.path("description").asText();
  }

  public JsonNode inputSchema() {
    return json.path("inputSchema");
  }

  public JsonNode annotations() {
    return json.path("annotations");
  }
}
