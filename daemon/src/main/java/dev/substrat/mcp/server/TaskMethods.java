package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.McpCatalog;
import dev.substrat.mcp.spi.McpClientInfo;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.platform.json.Json;

/// MCP methods for tasks (pending calls).
final class TaskMethods {
  private final McpCatalog offer;

  TaskMethods(McpCatalog offer) {
    this.offer = offer;
  }

  ObjectNode call(ClientMessage.Request request, McpClientInfo client) {
    client.requireTasks();
    String id = request.text("taskId");
    return switch (request.method()) {
      case "tasks/get" -> offer.fetchTask(id).orElseThrow(() -> unknown(id)).full();
      case "tasks/update" -> noted(id, offer.answerTask(id, request.object("inputResponses")));
      default -> noted(id, offer.cancelTask(id));
    };
  }

  private static ObjectNode noted(String id, boolean isKnown) {
    if (!isKnown) {
      throw unknown(id);
    }
    return Json.object();
  }

  private static ProtocolError unknown(String id) {
    return ProtocolError.badParams("task " + id + " not found");
  }
}
