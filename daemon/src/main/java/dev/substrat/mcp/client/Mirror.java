package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.wire.HeaderText;
import dev.substrat.mcp.wire.MirroredArguments;
import java.util.HashMap;
import java.util.Map;

/// Arguments that a tool wants repeated in headers.
final class Mirror {
  private Mirror() {}

  static Map<String, String> headers(Definition tool, ObjectNode arguments) {
    var headers = new HashMap<String, String>();
    MirroredArguments.of(tool.inputSchema())
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
