package dev.substrat.provider.agentcli.known;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.agentcli.CliOutputParser;
import dev.substrat.provider.agentcli.StreamedReply;
import dev.substrat.tool.transcript.ModelUsage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Parser of the `stream-json` of Gemini CLI. A text arrives in pieces and is complete when another
/// kind of event arrives.
final class GeminiOutput implements CliOutputParser.OfJson {
  private final Map<String, String> tools = new HashMap<>();
  private final StreamedReply saying = new StreamedReply();

  @Override
  public List<ProviderEvent> hear(JsonNode line) {
    return switch (line.path("type").asText()) {
      case "init" -> List.of(new ProviderEvent.SessionStarted(line.path("session_id").asText()));
      case "message" -> message(line);
      case "tool_use" -> afterText(started(line));
      case "tool_result" -> afterText(finished(line));
      case "result" -> ended(line);
      default -> List.of(new ProviderEvent.Unknown(Json.text(line)));
    };
  }

  private List<ProviderEvent> message(JsonNode line) {
    if (!line.path("role").asText().equals("assistant")) {
      return List.of();
    }
    return List.of(saying.piece(line.path("content").asText()));
  }

  private ProviderEvent started(JsonNode line) {
    String id = line.path("tool_id").asText();
    String tool = line.path("tool_name").asText();
    tools.put(id, tool);
    return new ProviderEvent.ToolStarted(id, tool, line.path("parameters"));
  }

  private ProviderEvent finished(JsonNode line) {
    String id = line.path("tool_id").asText();
    boolean ok = line.path("status").asText().equals("success");
    String output = ContentText.text(line.path(ok ? "output" : "error"));
    return new ProviderEvent.ToolFinished(id, tools.getOrDefault(id, ""), ok, output);
  }

  private List<ProviderEvent> ended(JsonNode line) {
    JsonNode stats = line.path("stats");
    var used =
        new ModelUsage(
            stats.path("input_tokens").asLong(), stats.path("output_tokens").asLong(), 0);
    boolean ok = line.path("status").asText().equals("success");
    String text = saying.text();
    var events = afterText(new ProviderEvent.UsageTotal(used));
    events.add(new ProviderEvent.TurnEnded(ok, ok ? text : ContentText.text(line.path("error"))));
    return events;
  }

  private List<ProviderEvent> afterText(ProviderEvent event) {
    List<ProviderEvent> events = saying.end();
    events.add(event);
    return events;
  }
}
