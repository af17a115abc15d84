package dev.substrat.provider.agentcli.known;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.agentcli.CliOutputParser;
import java.util.List;
import java.util.Map;

/// Parser of the output of Cursor's CLI: `stream-json` with its own form of calls and thoughts.
final class CursorOutput implements CliOutputParser.OfJson {
  private static final String MCP = "mcpToolCall";

  private final StreamJsonOutput rest = new StreamJsonOutput();

  @Override
  public List<ProviderEvent> hear(JsonNode line) {
    return switch (line.path("type").asText()) {
      case "tool_call" -> call(line);
      case "thinking" ->
          line.path("subtype").asText().equals("delta")
              ? List.of(new ProviderEvent.Thinking(line.path("text").asText()))
              : List.of();
      // What we have said ourselves.
      case "user" -> List.of();
      default -> rest.hear(line);
    };
  }

  /// One key names the tool; the MCP server's has its own name inside.
  private static List<ProviderEvent> call(JsonNode line) {
    JsonNode call = line.path("tool_call");
    if (call.isEmpty()) {
      return List.of(new ProviderEvent.Unknown(Json.text(line)));
    }
    Map.Entry<String, JsonNode> named = call.properties().iterator().next();
    JsonNode what = named.getValue();
    String id = line.path("call_id").asText();
    boolean isMcp = named.getKey().equals(MCP);
    String tool = isMcp ? what.at("/args/name").asText() : named.getKey();
    if (line.path("subtype").asText().equals("started")) {
      JsonNode input = isMcp ? what.at("/args/args") : what.path("args");
      return List.of(new ProviderEvent.ToolStarted(id, tool, input));
    }
    JsonNode result = what.path("result");
    boolean ok = result.has("success") && !result.at("/success/isError").asBoolean();
    JsonNode output = ok ? result.path("success") : result;
    return List.of(new ProviderEvent.ToolFinished(id, tool, ok, ContentText.text(output)));
  }
}
