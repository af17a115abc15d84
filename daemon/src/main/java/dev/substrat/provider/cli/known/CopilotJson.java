package dev.substrat.provider.cli.known;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.MindEvent;
import dev.substrat.provider.cli.Hearing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What Copilot CLI says. Of its many events a few matter here; its last message is its answer.
final class CopilotJson implements Hearing.OfJson {
  private final String session;
  private final Map<String, String> tools = new HashMap<>();
  private String answer = "";
  private String failure = "";
  private boolean hasBegun;

  CopilotJson(String session) {
    this.session = session;
  }

  @Override
  public List<MindEvent> hear(JsonNode line) {
    var events = new ArrayList<MindEvent>();
    JsonNode about = line.path("data");
    switch (line.path("type").asText()) {
      case "session.mcp_server_status_changed" ->
          events.add(
              new MindEvent.McpStatus(
                  about.path("serverName").asText(), about.path("status").asText()));
      case "assistant.message_delta" ->
          events.add(new MindEvent.TextDelta(about.path("deltaContent").asText()));
      case "assistant.message" -> said(about, events);
      case "tool.execution_start" -> {
        String id = about.path("toolCallId").asText();
        tools.put(id, about.path("toolName").asText());
        events.add(
            new MindEvent.ToolStarted(
                id, about.path("toolName").asText(), about.path("arguments")));
      }
      case "tool.execution_complete" -> {
        String id = about.path("toolCallId").asText();
        boolean ok = about.path("success").asBoolean();
        String output = Contents.text(about.path(ok ? "result" : "error"));
        events.add(new MindEvent.ToolFinished(id, tools.getOrDefault(id, ""), ok, output));
      }
      case "session.error" -> failure = Contents.text(about);
      case "result" -> end(line, events);
      default -> events.add(new MindEvent.Unknown(Json.text(line)));
    }
    return events;
  }

  private void said(JsonNode about, List<MindEvent> events) {
    // Only now is there a conversation that could be gone on with.
    if (!hasBegun) {
      hasBegun = true;
      events.add(new MindEvent.SessionStarted(session));
    }
    String text = about.path("content").asText();
    if (!text.isEmpty()) {
      answer = text;
      events.add(new MindEvent.Text(text));
    }
  }

  private void end(JsonNode line, List<MindEvent> events) {
    boolean ok = failure.isEmpty() && line.path("exitCode").asInt() == 0;
    events.add(new MindEvent.TurnEnded(ok, ok ? answer : failure));
  }
}
