package dev.substrat.provider.agentcli.known;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.agentcli.CliOutputParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Parser of the output of Copilot CLI, which ignores most of its events. The last message is the
/// answer.
final class CopilotOutput implements CliOutputParser.OfJson {
  private final String session;
  private final Map<String, String> tools = new HashMap<>();
  private String answer = "";
  private String failure = "";
  private boolean hasBegun;

  CopilotOutput(String session) {
    this.session = session;
  }

  @Override
  public List<ProviderEvent> hear(JsonNode line) {
    var events = new ArrayList<ProviderEvent>();
    JsonNode about = line.path("data");
    switch (line.path("type").asText()) {
      case "session.mcp_server_status_changed" ->
          events.add(
              new ProviderEvent.McpStatus(
                  about.path("serverName").asText(), about.path("status").asText()));
      case "assistant.message_delta" ->
          events.add(new ProviderEvent.TextDelta(about.path("deltaContent").asText()));
      case "assistant.message" -> said(about, events);
      case "tool.execution_start" -> {
        String id = about.path("toolCallId").asText();
        tools.put(id, about.path("toolName").asText());
        events.add(
            new ProviderEvent.ToolStarted(
                id, about.path("toolName").asText(), about.path("arguments")));
      }
      case "tool.execution_complete" -> {
        String id = about.path("toolCallId").asText();
        boolean ok = about.path("success").asBoolean();
        String output = ContentText.text(about.path(ok ? "result" : "error"));
        events.add(new ProviderEvent.ToolFinished(id, tools.getOrDefault(id, ""), ok, output));
      }
      case "session.error" -> failure = ContentText.text(about);
      case "result" -> end(line, events);
      default -> events.add(new ProviderEvent.Unknown(Json.text(line)));
    }
    return events;
  }

  private void said(JsonNode about, List<ProviderEvent> events) {
    // Only now is there a conversation that could be gone on with.
    if (!hasBegun) {
      hasBegun = true;
      events.add(new ProviderEvent.SessionStarted(session));
    }
    String text = about.path("content").asText();
    if (!text.isEmpty()) {
      answer = text;
      events.add(new ProviderEvent.Text(text));
    }
  }

  private void end(JsonNode line, List<ProviderEvent> events) {
    boolean ok = failure.isEmpty() && line.path("exitCode").asInt() == 0;
    events.add(new ProviderEvent.TurnEnded(ok, ok ? answer : failure));
  }
}
