package dev.substrat.mcp.spi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.wire.ProtocolRevision;
import dev.substrat.platform.json.Json;

/// Protocol revision and declared capabilities of the client that sent a request.
public record McpClientInfo(ProtocolRevision revision, ObjectNode capabilities) {
  /// Extension by which a long call is answered with a task.
  public static final String TASKS = "io.modelcontextprotocol/tasks";

  public boolean has(String capability) {
    return capabilities.path(capability).isObject();
  }

  public boolean hasTasks() {
    return revision.isModern() && capabilities.path("extensions").path(TASKS).isObject();
  }

  /// Rejects a client without task support, for a call that can only be answered with a task.
  public void requireTasks() {
    if (!hasTasks()) {
      var needed = Json.object();
      needed.putObject("extensions").putObject(TASKS);
      throw ProtocolError.missing(needed);
    }
  }

  /// Rejects a client that lacks a capability needed for these questions.
  public void requireFor(JsonNode questions) {
    var missing = Json.object();
    for (JsonNode question : questions) {
      String capability =
          switch (question.path("method").asText()) {
            case "elicitation/create" -> "elicitation";
            case "sampling/createMessage" -> "sampling";
            case "roots/list" -> "roots";
            default ->
                throw new IllegalArgumentException("unknown request to a client: " + question);
          };
      if (!has(capability)) {
        missing.putObject(capability);
      }
    }
    if (!missing.isEmpty()) {
      throw ProtocolError.missing(missing);
    }
  }
}
