package dev.substrat.provider.agentcli.known;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.agentcli.CliOutputParser;
import dev.substrat.tool.transcript.ModelUsage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Parser of the `stream-json` of Claude Code. Qwen Code uses the same format, and Cursor a similar
/// one.
public final class StreamJsonOutput implements CliOutputParser.JsonLineParser {
  private static final double MICROS = 1_000_000;

  /// Results name the call, not the tool.
  private final Map<String, String> tools = new HashMap<>();

  private final Set<String> counted = new HashSet<>();

  @Override
  public List<ProviderEvent> parse(JsonNode line) {
    return switch (line.path("type").asText()) {
      case "system" -> system(line);
      case "assistant" -> spoke(line);
      case "user" -> contents(line, this::result);
      case "stream_event" -> delta(line.path("event"));
      case "result" -> ended(line);
      default -> List.of(new ProviderEvent.UnknownEvent(Json.text(line)));
    };
  }

  private static List<ProviderEvent> system(JsonNode line) {
    if (!line.path("subtype").asText().equals("init")) {
      return List.of(new ProviderEvent.UnknownEvent(Json.text(line)));
    }
    var events = new ArrayList<ProviderEvent>();
    events.add(new ProviderEvent.SessionStarted(line.path("session_id").asText()));
    for (JsonNode server : line.path("mcp_servers")) {
      events.add(
          new ProviderEvent.McpServerStatus(
              server.path("name").asText(), server.path("status").asText()));
    }
    return events;
  }

  /// If a message has several lines, each of them repeats its usage.
  private List<ProviderEvent> spoke(JsonNode line) {
    List<ProviderEvent> events = contents(line, this::said);
    JsonNode usage = line.at("/message/usage");
    if (usage.isObject() && counted.add(line.at("/message/id").asText())) {
      events.add(new ProviderEvent.PartialUsage(usage(usage, 0)));
    }
    return events;
  }

  private interface ContentPart {
    void add(JsonNode content, List<ProviderEvent> events);
  }

  private static List<ProviderEvent> contents(JsonNode line, ContentPart part) {
    var events = new ArrayList<ProviderEvent>();
    line.at("/message/content").forEach(content -> part.add(content, events));
    return events;
  }

  private void said(JsonNode content, List<ProviderEvent> events) {
    switch (content.path("type").asText()) {
      case "text" -> events.add(new ProviderEvent.CompleteText(content.path("text").asText()));
      case "thinking" ->
          events.add(new ProviderEvent.ReasoningText(content.path("thinking").asText()));
      case "tool_use" -> {
        String id = content.path("id").asText();
        String tool = content.path("name").asText();
        tools.put(id, tool);
        events.add(new ProviderEvent.ToolStarted(id, tool, content.path("input")));
      }
      default -> events.add(new ProviderEvent.UnknownEvent(Json.text(content)));
    }
  }

  private void result(JsonNode content, List<ProviderEvent> events) {
    if (content.path("type").asText().equals("tool_result")) {
      String id = content.path("tool_use_id").asText();
      events.add(
          new ProviderEvent.ToolFinished(
              id,
              tools.getOrDefault(id, ""),
              !content.path("is_error").asBoolean(),
              ContentText.text(content.path("content"))));
    }
  }

  private static List<ProviderEvent> delta(JsonNode event) {
    String text = event.at("/delta/text").asText();
    return event.path("type").asText().equals("content_block_delta") && !text.isEmpty()
        ? List.of(new ProviderEvent.TextDelta(text))
        : List.of();
  }

  private static List<ProviderEvent> ended(JsonNode line) {
    var events = new ArrayList<ProviderEvent>();
    JsonNode usage = line.path("usage");
    if (usage.isObject()) {
      events.add(
          new ProviderEvent.UsageTotal(usage(usage, line.path("total_cost_usd").asDouble())));
    }
    boolean ok =
        !line.path("is_error").asBoolean() && line.path("subtype").asText().equals("success");
    events.add(new ProviderEvent.TurnEnded(ok, ok ? line.path("result").asText() : why(line)));
    return events;
  }

  /// Cached input tokens count as input, too.
  private static ModelUsage usage(JsonNode usage, double dollars) {
    long input =
        usage.path("input_tokens").asLong()
            + usage.path("cache_read_input_tokens").asLong()
            + usage.path("cache_creation_input_tokens").asLong()
            + usage.path("inputTokens").asLong();
    long output = usage.path("output_tokens").asLong() + usage.path("outputTokens").asLong();
    return new ModelUsage(input, output, Math.round(dollars * MICROS));
  }

  private static String why(JsonNode line) {
    var words = new ArrayList<String>();
    line.path("errors").forEach(error -> words.add(ContentText.text(error)));
    words.add(ContentText.text(line.path("error")));
    words.add(line.path("result").asText());
    words.removeIf(String::isBlank);
    return words.isEmpty() ? line.path("subtype").asText("error") : String.join("; ", words);
  }
}
