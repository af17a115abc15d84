package dev.substrat.provider.agentcli.known;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.agentcli.CliOutputParser;
import dev.substrat.tool.transcript.ModelUsage;
import java.util.List;

/// Parser of `codex exec --json`. The last message is the answer.
public final class CodexOutput implements CliOutputParser.JsonLineParser {
  private String answer = "";

  @Override
  public List<ProviderEvent> parse(JsonNode line) {
    return switch (line.path("type").asText()) {
      case "thread.started" ->
          List.of(new ProviderEvent.SessionStarted(line.path("thread_id").asText()));
      case "item.started" -> started(line.path("item"), line);
      case "item.completed" -> completed(line.path("item"), line);
      case "turn.completed" ->
          List.of(
              new ProviderEvent.UsageTotal(usage(line.path("usage"))),
              new ProviderEvent.TurnEnded(true, answer));
      case "turn.failed" ->
          List.of(new ProviderEvent.TurnEnded(false, ContentText.text(line.path("error"))));
      case "turn.started" -> List.of();
      default -> unknown(line);
    };
  }

  private static List<ProviderEvent> started(JsonNode item, JsonNode line) {
    return switch (item.path("type").asText()) {
      case "mcp_tool_call" ->
          List.of(new ProviderEvent.ToolStarted(id(item), tool(item), item.path("arguments")));
      case "command_execution" ->
          List.of(new ProviderEvent.ToolStarted(id(item), "shell", item.path("command")));
      default -> unknown(line);
    };
  }

  private List<ProviderEvent> completed(JsonNode item, JsonNode line) {
    boolean ok = item.path("status").asText().equals("completed");
    return switch (item.path("type").asText()) {
      case "agent_message" -> {
        answer = item.path("text").asText();
        yield List.of(new ProviderEvent.CompleteText(answer));
      }
      case "reasoning" -> List.of(new ProviderEvent.ReasoningText(item.path("text").asText()));
      case "mcp_tool_call" ->
          List.of(
              new ProviderEvent.ToolFinished(
                  id(item),
                  tool(item),
                  ok,
                  ContentText.text(ok ? item.at("/result/content") : item.path("error"))));
      case "command_execution" ->
          List.of(
              new ProviderEvent.ToolFinished(
                  id(item), "shell", ok, item.path("aggregated_output").asText()));
      default -> unknown(line);
    };
  }

  private static String id(JsonNode item) {
    return item.path("id").asText();
  }

  private static String tool(JsonNode item) {
    return item.path("server").asText() + "." + item.path("tool").asText();
  }

  private static ModelUsage usage(JsonNode usage) {
    return new ModelUsage(
        usage.path("input_tokens").asLong(), usage.path("output_tokens").asLong(), 0);
  }

  private static List<ProviderEvent> unknown(JsonNode line) {
    return List.of(new ProviderEvent.UnknownEvent(Json.text(line)));
  }
}
