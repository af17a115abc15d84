package dev.substrat.provider.agentcli.known;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderCapabilities;
import dev.substrat.provider.ProviderCapabilities.SystemPromptMethod;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.agentcli.AgentCli;
import dev.substrat.provider.agentcli.CliLaunch;
import dev.substrat.provider.agentcli.CliOutputParser;
import dev.substrat.provider.agentcli.CliTurnParameters;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Cursor's CLI, in print mode. It needs Cursor's own service, so this follows the documentation
/// and is not tested against it.
final class CursorAgent implements AgentCli {
  @Override
  public String name() {
    return "cursor-agent";
  }

  @Override
  public List<String> command() {
    return List.of("cursor-agent");
  }

  @Override
  public ProviderCapabilities capabilities() {
    return ProviderCapabilities.ofCli("substrat-{tool}", SystemPromptMethod.MESSAGE);
  }

  @Override
  public CliLaunch start(CliTurnParameters turn) {
    var words =
        new CommandLineBuilder(turn.command())
            .add("-p", "--output-format", "stream-json")
            .option("--model", turn.model())
            // Both the server and its tools must be approved.
            .add("--approve-mcps", "--force", "--trust")
            .add("--workspace", turn.directory().toString())
            .option("--resume", turn.session())
            .addAll(turn.arguments());
    return new CliLaunch(
        words.list(),
        new CliEnvironment().set("CURSOR_API_KEY", turn.apiKey()).map(),
        // In the home directory, because the workspace may be a repository.
        Map.of(
            ".cursor/mcp.json",
            Json.text(McpConfigFile.of(McpConfigFile.untyped(turn.endpoint(), "url")))),
        said(turn));
  }

  /// It has no system prompt and drops old messages of a long conversation, so the system prompt is
  /// part of each prompt.
  private static String said(CliTurnParameters turn) {
    return turn.prompt().system() + "\n\n---\n\n" + turn.prompt().turn();
  }

  @Override
  public CliOutputParser outputParser(CliTurnParameters turn) {
    return new CursorOutput();
  }

  @Override
  public boolean isUnknownSession(String words) {
    String lower = words.toLowerCase(Locale.ROOT);
    return lower.contains("chat not found")
        || lower.contains("session not found")
        || lower.contains("no chat");
  }

  /// Parser of the output of Cursor's CLI: `stream-json` with its own form of calls and thoughts.
  private static final class CursorOutput implements CliOutputParser.JsonLineParser {
    private static final String MCP = "mcpToolCall";

    private final StreamJsonOutput rest = new StreamJsonOutput();

    @Override
    public List<ProviderEvent> parse(JsonNode line) {
      return switch (line.path("type").asText()) {
        case "tool_call" -> call(line);
        case "thinking" ->
            line.path("subtype").asText().equals("delta")
                ? List.of(new ProviderEvent.ReasoningText(line.path("text").asText()))
                : List.of();
        // Our own prompt.
        case "user" -> List.of();
        default -> rest.parse(line);
      };
    }

    /// The only key names the tool; for an MCP tool the name is inside.
    private static List<ProviderEvent> call(JsonNode line) {
      JsonNode call = line.path("tool_call");
      if (call.isEmpty()) {
        return List.of(new ProviderEvent.UnknownEvent(Json.text(line)));
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
}
