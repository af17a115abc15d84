package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.Client;
import dev.substrat.mcp.spi.Offer;
import dev.substrat.mcp.spi.Refusal;
import dev.substrat.platform.json.Json;

/// What a client can do with a call that is answered later.
final class Tasks {
  private final Offer offer;

  Tasks(Offer offer) {
    this.offer = offer;
  }

  ObjectNode call(Message.Request request, Client client) {
    client.requireTasks();
    String id = request.text("taskId");
    return switch (request.method()) {
      case "tasks/get" -> offer.fetchTask(id).orElseThrow(() -> unknown(id)).whole();
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

  private static Refusal unknown(String id) {
    return Refusal.badParams("there is no task " + id);
  }
}
