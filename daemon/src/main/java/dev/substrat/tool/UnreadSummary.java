package dev.substrat.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;

/// Summary of unread inbox events, added to every tool result, so that an agent can fetch urgent
/// ones during its turn. Urgent are messages from people and notices of the daemon.
public record UnreadSummary(long unread, ArrayNode urgent) {
  public static final UnreadSummary NONE = new UnreadSummary(0, Json.object().putArray("urgent"));

  /// A recorded summary; empty if `json` is missing.
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

  /// Finds unread events. Declared by the tool pipeline, implemented by `messaging.inbox`.
  @FunctionalInterface
  public interface UnreadSource {
    UnreadSummary of(ToolCaller caller);
  }
}
