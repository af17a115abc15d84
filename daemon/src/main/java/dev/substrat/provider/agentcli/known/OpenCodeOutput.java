package dev.substrat.provider.agentcli.known;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.agentcli.CliOutputParser;
import dev.substrat.tool.transcript.ModelUsage;
import java.util.ArrayList;
import java.util.List;

/// Parser of `opencode run --format json`. There is no final event: the last text is the answer.
final class OpenCodeOutput implements CliOutputParser.OfJson {
  private static final double MICROS = 1_000_000;

  private String session = "";
  private String answer = "";
  private String failure = "";
  private boolean hasFinished;
  private long input;
  private long output;
  private long cost;

  @Override
  public List<ProviderEvent> hear(JsonNode line) {
    var events = new ArrayList<ProviderEvent>();
    String id = line.path("sessionID").asText();
    if (!id.isEmpty() && !id.equals(session)) {
      session = id;
      events.add(new ProviderEvent.SessionStarted(id));
    }
    JsonNode part = line.path("part");
    switch (line.path("type").asText()) {
      case "step_start" -> hasFinished = false;
      case "text" -> {
        answer = part.path("text").asText();
        events.add(new ProviderEvent.Text(answer));
      }
      case "tool_use" -> call(part, events);
      case "step_finish" -> finish(part, events);
      case "error" -> failure = ContentText.text(line.path("error"));
      default -> events.add(new ProviderEvent.Unknown(Json.text(line)));
    }
    return events;
  }

  /// It tells of a call when it is over.
  private static void call(JsonNode part, List<ProviderEvent> events) {
    String id = part.path("callID").asText();
    String tool = part.path("tool").asText();
    JsonNode state = part.path("state");
    boolean ok = state.path("status").asText().equals("completed");
    events.add(new ProviderEvent.ToolStarted(id, tool, state.path("input")));
    events.add(
        new ProviderEvent.ToolFinished(
            id, tool, ok, ContentText.text(state.path(ok ? "output" : "error"))));
  }

  private void finish(JsonNode part, List<ProviderEvent> events) {
    hasFinished = !part.path("reason").asText().equals("tool-calls");
    JsonNode tokens = part.path("tokens");
    var step =
        new ModelUsage(
            tokens.path("input").asLong() + tokens.at("/cache/read").asLong(),
            tokens.path("output").asLong(),
            Math.round(part.path("cost").asDouble() * MICROS));
    input += step.inputTokens();
    output += step.outputTokens();
    cost += step.costMicros();
    events.add(new ProviderEvent.UsageSoFar(step));
  }

  @Override
  public List<ProviderEvent> end() {
    var events = new ArrayList<ProviderEvent>();
    if (input + output > 0) {
      events.add(new ProviderEvent.UsageTotal(new ModelUsage(input, output, cost)));
    }
    if (!failure.isEmpty()) {
      events.add(new ProviderEvent.TurnEnded(false, failure));
    } else if (hasFinished) {
      events.add(new ProviderEvent.TurnEnded(true, answer));
    }
    return events;
  }
}
