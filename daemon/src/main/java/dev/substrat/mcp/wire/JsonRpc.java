package dev.substrat.mcp.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import org.jspecify.annotations.Nullable;

/// JSON-RPC envelope of MCP messages.
public final class JsonRpc {
  private JsonRpc() {}

  public static ObjectNode result(JsonNode id, ObjectNode result) {
    var answer = envelope();
    answer.set("id", id);
    answer.set("result", result);
    return answer;
  }

  /// `id` is null if the request could not be read.
  public static ObjectNode error(@Nullable JsonNode id, ObjectNode error) {
    var answer = envelope();
    answer.set("id", id);
    answer.set("error", error);
    return answer;
  }

  public static ObjectNode request(JsonNode id, String method, JsonNode params) {
    var request = envelope();
    request.set("id", id);
    request.put("method", method).set("params", params);
    return request;
  }

  public static ObjectNode notification(String method, ObjectNode params) {
    var notification = envelope().put("method", method);
    notification.set("params", params);
    return notification;
  }

  private static ObjectNode envelope() {
    return Json.object().put("jsonrpc", "2.0");
  }
}
