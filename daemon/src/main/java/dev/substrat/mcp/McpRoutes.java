package dev.substrat.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.fault.Fault;
import dev.substrat.http.Exchange;
import dev.substrat.http.Reply;
import dev.substrat.http.Route;
import dev.substrat.http.Route.Access;
import dev.substrat.protocol.ErrorCode;
import java.util.List;

/// MCP over Streamable HTTP at `/mcp`: one JSON-RPC message in, one answer out. There is nothing to
/// stream yet, so there are no sessions and no streams.
public final class McpRoutes {
  private final McpMethods methods;

  public McpRoutes(McpMethods methods) {
    this.methods = methods;
  }

  public List<Route> routes() {
    return List.of(
        Route.write("/mcp", Access.ACTING, "MCP: one JSON-RPC message.", null, this::answer)
            .heeding("Idempotency-Key", "The same key and call again is the same call."));
  }

  private Reply answer(Exchange exchange) {
    JsonNode message;
    try {
      message = exchange.json();
    } catch (Fault fault) {
      return new Reply.Json(400, JsonRpc.error(null, JsonRpc.PARSE_ERROR, fault.message()));
    }
    if (!(message instanceof ObjectNode request) || !request.path("method").isTextual()) {
      return new Reply.Json(
          400, JsonRpc.error(null, JsonRpc.INVALID_REQUEST, "send one JSON-RPC request"));
    }
    if (!request.has("id")) {
      // A notification: nothing to answer, and none of them changes anything here.
      return new Reply.Empty(202);
    }
    return Reply.ok(handle(exchange, request));
  }

  private ObjectNode handle(Exchange exchange, ObjectNode request) {
    JsonNode id = request.get("id");
    try {
      var key = exchange.header("Idempotency-Key").orElse(null);
      return JsonRpc.result(id, methods.call(exchange.caller(), request, key));
    } catch (JsonRpc.Failure failure) {
      return JsonRpc.error(id, failure.code(), failure.getMessage());
    } catch (Fault fault) {
      int code =
          fault.code().kind() == ErrorCode.Kind.CALLER
              ? JsonRpc.INVALID_PARAMS
              : JsonRpc.INTERNAL_ERROR;
      return JsonRpc.error(id, code, fault.message());
    }
  }
}
