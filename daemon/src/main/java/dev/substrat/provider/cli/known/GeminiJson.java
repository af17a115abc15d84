package dev.substrat.provider.cli.known;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.MindEvent;
import dev.substrat.provider.cli.Hearing;
import dev.substrat.provider.cli.Saying;
import dev.substrat.tool.transcript.ModelUsage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The `stream-json` of Gemini CLI: texts come in pieces, and are whole when something else comes.
final class GeminiJson implements Hearing.OfJson {
  private final Map<String, String> tools = new HashMap<>();
  private final Saying saying = new Saying();

  @Override
  public List<MindEvent> hear(JsonNode line) {
    return switch (line.path("type").asText()) {
      case "init" -> List.of(new MindEvent.SessionStarted(line.path("session_id").asText()));
      case "message" -> message(line);
      case "tool_use" -> afterText(started(line));
      case "tool_result" -> afterText(finished(line));
      case "result" -> ended(line);
      default -> List.of(new MindEvent.Unknown(Json.text(line)));
    };
  }

  private List<MindEvent> message(JsonNode line) {
    if (!line.path("role").asText().equals("assistant")) {
      return List.of();
    }
    return List.of(saying.piece(line.path("content").asText()));
  }

  private MindEvent started(JsonNode line) {
    String id = line.path("tool_id").asText();
    String tool = line.path("tool_name").asText();
    tools.put(id, tool);
    return new MindEvent.ToolStarted(id, tool, line.path("parameters"));
  }

  private MindEvent finished(JsonNode line) {
    String id = line.path("tool_id").asText();
    boolean ok = line.path("status").asText().equals("success");
    String output = Contents.text(line.path(ok ? "output" : "error"));
    return new MindEvent.ToolFinished(id, tools.getOrDefault(id, ""), ok, output);
  }

  private List<MindEvent> ended(JsonNode line) {
    JsonNode stats = line.path("stats");
    var used =
        new ModelUsage(stats.path("input_tokens").asLong(), stats.path("output_tokens").asLong(), 0);
    boolean ok = line.path("status").asText().equals("success");
    String text = saying.text();
    var events = afterText(new MindEvent.Used(used));
    events.add(new MindEvent.TurnEnded(ok, ok ? text : Contents.text(line.path("error"))));
    return events;
  }

  private List<MindEvent> afterText(MindEvent event) {
    List<MindEvent> events = saying.end();
    events.add(event);
    return events;
  }
}
