package dev.substrat.desk;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.Contact;
import dev.substrat.tool.Progress;
import java.util.concurrent.atomic.AtomicInteger;

/// Passes on to a client how far a tool is. A tool that counts nothing is one step further with
/// each report: MCP wants a number that grows.
final class Reports {
  private Reports() {}

  static Progress to(Contact contact) {
    var steps = new AtomicInteger();
    return status -> {
      int step = steps.incrementAndGet();
      contact.progress(
          status.path("progress").asDouble(step), status.path("total").asDouble(0), words(status));
    };
  }

  private static String words(ObjectNode status) {
    return status.path("text").asText(status.path("status").asText(""));
  }
}
