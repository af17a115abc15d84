package dev.substrat.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.json.Json;
import org.jspecify.annotations.Nullable;

/// The envelope around MCP's messages.
final class JsonRpc {
  private JsonRpc() {}

  static ObjectNode result(JsonNode id, ObjectNode result) {
    var answer = envelope();
    answer.set("id", id);
    answer.set("result", result);
    return answer;
  }

  /// `id` is missing if the request did not get so far as to have one.
  static ObjectNode error(@Nullable JsonNode id, Refusal refusal) {
    var answer = envelope();
    answer.set("id", id);
    answer.set("error", refusal.json());
    return answer;
  }

  static ObjectNode request(String id, String method, JsonNode params) {
    var request = envelope().put("id", id).put("method", method);
    request.set("params", params);
    return request;
  }

  static ObjectNode notification(String method, ObjectNode params) {
    var notification = envelope().put("method", method);
    notification.set("params", params);
    return notification;
  }

  private static ObjectNode envelope() {
    return Json.object().put("jsonrpc", "2.0");
  }
}
