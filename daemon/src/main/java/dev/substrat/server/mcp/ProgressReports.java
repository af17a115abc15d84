package dev.substrat.server.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.ClientChannel;
import dev.substrat.platform.json.Json;
import dev.substrat.tool.ProgressSink;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// Sends progress notifications of a tool to its client. MCP requires a growing number, so a report
/// without one counts as one step.
final class ProgressReports {
  private static final int LONGEST = 1_000;

  private ProgressReports() {}

  static ProgressSink to(ClientChannel contact) {
    var steps = new AtomicInteger();
    return status -> {
      int step = steps.incrementAndGet();
      contact.progress(
          status.path("progress").asDouble(step),
          status.path("total").asDouble(0),
          message(status));
    };
  }

  /// People read the message: if the status has no text, all of it is shown.
  private static String message(ObjectNode status) {
    return Stream.of(status.path("text"), status.path("status"))
        .filter(JsonNode::isTextual)
        .map(JsonNode::textValue)
        .filter(text -> !text.isBlank())
        .findFirst()
        .map(ProgressReports::bounded)
        .orElseGet(() -> bounded(Json.text(status)));
  }

  private static String bounded(String text) {
    if (text.length() <= LONGEST) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
    return text.substring(0, end) + "…";
  }
}
