package dev.substrat.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.json.Json;
import org.jspecify.annotations.Nullable;

/// The envelope around MCP's messages.
final class JsonRpc {
  static final int PARSE_ERROR = -32700;
  static final int INVALID_REQUEST = -32600;
  static final int METHOD_NOT_FOUND = -32601;
  static final int INVALID_PARAMS = -32602;
  static final int INTERNAL_ERROR = -32603;

  private JsonRpc() {}

  static ObjectNode result(JsonNode id, ObjectNode result) {
    var answer = Json.object().put("jsonrpc", "2.0");
    answer.set("id", id);
    answer.set("result", result);
    return answer;
  }

  static ObjectNode error(@Nullable JsonNode id, int code, String message) {
    var answer = Json.object().put("jsonrpc", "2.0");
    answer.set("id", id);
    answer.putObject("error").put("code", code).put("message", message);
    return answer;
  }

  /// A broken protocol, which is not a tool that could not do its work.
  static final class Failure extends RuntimeException {
    private final int code;

    Failure(int code, String message) {
      super(message);
      this.code = code;
    }

    int code() {
      return code;
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }
  }
}
