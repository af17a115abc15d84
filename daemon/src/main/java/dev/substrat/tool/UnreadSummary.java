package dev.substrat.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;

/// What has arrived for an agent while it works: it rides on every tool result, so that urgent news
/// is one tool call away. Urgent is what a person wrote and what the daemon has to tell.
public record UnreadSummary(long unread, ArrayNode urgent) {
  public static final UnreadSummary NONE = new UnreadSummary(0, Json.object().putArray("urgent"));

  /// News that were told before; none if `json` is missing.
  static UnreadSummary recorded(JsonNode json) {
    return json.path("urgent") instanceof ArrayNode urgent
        ? new UnreadSummary(json.path("unread").asLong(), urgent)
        : NONE;
  }

  public boolean isEmpty() {
    return unread == 0;
  }

  public ObjectNode json() {
    var json = Json.object().put("unread", unread);
    json.set("urgent", urgent);
    return json;
  }

  /// Looks for news. The tool pipeline owns the question; `inbox` answers it.
  @FunctionalInterface
  public interface Source {
    UnreadSummary of(ToolCaller caller);
  }
}
