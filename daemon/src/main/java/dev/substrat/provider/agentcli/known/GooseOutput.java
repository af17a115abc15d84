package dev.substrat.provider.agentcli.known;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.agentcli.CliOutputParser;
import dev.substrat.provider.agentcli.ErrorAnswerDetector;
import dev.substrat.provider.agentcli.StreamedTextCollector;
import dev.substrat.tool.transcript.ModelUsage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Parser of `goose run --output-format stream-json`. Goose does not name its session, always exits
/// with 0, and prints errors like answers.
public final class GooseOutput implements CliOutputParser.JsonLineParser {
  private final String session;
  private final Map<String, String> tools = new HashMap<>();
  private final StreamedTextCollector saying = new StreamedTextCollector();
  private String failure = "";
  private boolean hasBegun;

  public GooseOutput(String session) {
    this.session = session;
  }

  @Override
  public List<ProviderEvent> parse(JsonNode line) {
    var events = new ArrayList<ProviderEvent>();
    if (!hasBegun) {
      hasBegun = true;
      events.add(new ProviderEvent.SessionStarted(session));
    }
    switch (line.path("type").asText()) {
      case "message" -> {
        boolean isOwn = line.at("/message/role").asText().equals("assistant");
        line.at("/message/content").forEach(content -> content(content, isOwn, events));
      }
      case "error" -> failure = ContentText.text(line.path("error"));
      case "complete" -> end(line, events);
      default -> events.add(new ProviderEvent.UnknownEvent(Json.text(line)));
    }
    return events;
  }

  private void content(JsonNode content, boolean isOwn, List<ProviderEvent> events) {
    switch (content.path("type").asText()) {
      case "text" -> {
        String text = content.path("text").asText();
        if (isOwn) {
          events.add(saying.piece(text));
          // Text before the error is not an answer either.
          ErrorAnswerDetector.in(text).ifPresent(reason -> failure = reason);
        }
      }
      case "thinking" ->
          events.add(new ProviderEvent.ReasoningText(content.path("thinking").asText()));
      case "toolRequest" -> {
        events.addAll(saying.end());
        String id = content.path("id").asText();
        JsonNode call = content.at("/toolCall/value");
        tools.put(id, call.path("name").asText());
        events.add(
            new ProviderEvent.ToolStarted(id, call.path("name").asText(), call.path("arguments")));
      }
      case "toolResponse" -> {
        String id = content.path("id").asText();
        JsonNode result = content.path("toolResult");
        boolean ok =
            result.path("status").asText().equals("success")
                && !result.at("/value/isError").asBoolean();
        String output = ContentText.text(result.path(result.has("value") ? "value" : "error"));
        events.add(new ProviderEvent.ToolFinished(id, tools.getOrDefault(id, ""), ok, output));
      }
      case "error" ->
          failure = (content.path("kind").asText() + " " + ContentText.text(content)).strip();
      default -> events.add(new ProviderEvent.UnknownEvent(Json.text(content)));
    }
  }

  private void end(JsonNode line, List<ProviderEvent> events) {
    String answer = saying.text();
    events.addAll(saying.end());
    events.add(new ProviderEvent.UsageTotal(usage(line)));
    boolean ok = failure.isEmpty();
    events.add(new ProviderEvent.TurnEnded(ok, ok ? answer : failure));
  }

  /// Older versions report only the total.
  private static ModelUsage usage(JsonNode line) {
    long input = line.path("input_tokens").asLong();
    long output = line.path("output_tokens").asLong();
    long total = line.path("total_tokens").asLong();
    return new ModelUsage(input, Math.max(output, total - input), 0);
  }
}
