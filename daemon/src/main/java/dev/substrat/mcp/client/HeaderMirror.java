package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.wire.HeaderArguments;
import dev.substrat.mcp.wire.HeaderText;
import java.util.HashMap;
import java.util.Map;

/// Copies tool arguments to HTTP headers, as the tool's schema requests.
final class HeaderMirror {
  private HeaderMirror() {}

  static Map<String, String> headers(ToolDefinition tool, ObjectNode arguments) {
    var headers = new HashMap<String, String>();
    HeaderArguments.of(tool.inputSchema())
        .byHeader()
        .forEach((header, pointer) -> {
          JsonNode value = arguments.at(pointer);
          if (value.isTextual() || value.isBoolean() || value.isIntegralNumber()) {
            headers.put(header, HeaderText.encode(value.asText()));
          }
        });
    return headers;
  }
}
