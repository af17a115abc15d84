package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.wire.JsonRpc;
import java.util.Map;

/// Request to a server. `headers` apply to HTTP transports only.
public record McpRequest(long id, String method, ObjectNode params, Map<String, String> headers) {

  public ObjectNode message() {
    return JsonRpc.request(new LongNode(id), method, params);
  }
}
