package dev.substrat.provider.agentcli.known;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderCapabilities;
import dev.substrat.provider.ProviderCapabilities.SystemPromptMethod;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.agentcli.AgentCli;
import dev.substrat.provider.agentcli.CliLaunch;
import dev.substrat.provider.agentcli.CliOutputParser;
import dev.substrat.provider.agentcli.CliTurnParameters;
import dev.substrat.provider.agentcli.StreamedTextCollector;
import dev.substrat.provider.agentcli.ToolEndpoint;
import dev.substrat.tool.transcript.ModelUsage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Google's Gemini CLI, without a terminal. The name has a suffix because `gemini` is the model
/// API.
final class GeminiCli implements AgentCli {
  private static final int AN_HOUR = 3_600_000;

  @Override
  public String name() {
    return "gemini-cli";
  }

  @Override
  public List<String> command() {
    return List.of("gemini");
  }

  @Override
  public ProviderCapabilities capabilities() {
    return ProviderCapabilities.ofCli("mcp_substrat_{tool}", SystemPromptMethod.FILE)
        .withStreaming();
  }

  @Override
  public CliLaunch start(CliTurnParameters turn) {
    var words =
        new CommandLineBuilder(turn.command())
            .add("-o", "stream-json", "--approval-mode", "yolo")
            .option("-m", turn.model())
            .add(turn.session() == null ? "--session-id" : "--resume", turn.conversation())
            .addAll(turn.arguments());
    var environment =
        new CliEnvironment()
            .set("GEMINI_CLI_HOME", turn.home().toString())
            .set("GEMINI_API_KEY", turn.apiKey())
            .set("GOOGLE_GEMINI_BASE_URL", ModelEndpoint.withoutVersion(turn.baseUrl()))
            .set("GEMINI_CLI_NO_RELAUNCH", "true");
    return new CliLaunch(
        words.list(),
        environment.map(),
        Map.of(
            ".gemini/settings.json",
            Json.text(settings(turn.endpoint())),
            // Appended to its own system prompt in every turn; the system prompt option would
            // replace it.
            ".gemini/GEMINI.md",
            turn.prompt().system()),
        turn.prompt().turn());
  }

  private static ObjectNode settings(ToolEndpoint endpoint) {
    var settings = McpConfigFile.of(McpConfigFile.untyped(endpoint, "httpUrl"));
    settings
        .withObject("/mcpServers/" + ToolEndpoint.NAME)
        .put("trust", true)
        .put("timeout", AN_HOUR);
    var security = settings.putObject("security");
    security.putObject("auth").put("selectedType", "gemini-api-key");
    // An untrusted folder would silently disable the approval mode.
    security.putObject("folderTrust").put("enabled", false);
    settings.putObject("general").put("enableAutoUpdate", false);
    settings.putObject("privacy").put("usageStatisticsEnabled", false);
    settings.putObject("telemetry").put("enabled", false);
    return settings;
  }

  @Override
  public CliOutputParser outputParser(CliTurnParameters turn) {
    return new GeminiOutput();
  }

  @Override
  public List<String> loginFiles() {
    return List.of(".gemini/oauth_creds.json");
  }

  @Override
  public boolean isUnknownSession(String words) {
    return words.contains("No previous sessions found")
        || words.contains("Error resuming session")
        || words.contains("Invalid session identifier");
  }

  /// Parser of the `stream-json` of Gemini CLI. A text arrives in pieces and is complete when
  /// another kind of event arrives.
  private static final class GeminiOutput implements CliOutputParser.JsonLineParser {
    private final Map<String, String> tools = new HashMap<>();
    private final StreamedTextCollector saying = new StreamedTextCollector();

    @Override
    public List<ProviderEvent> parse(JsonNode line) {
      return switch (line.path("type").asText()) {
        case "init" -> List.of(new ProviderEvent.SessionStarted(line.path("session_id").asText()));
        case "message" -> message(line);
        case "tool_use" -> afterText(started(line));
        case "tool_result" -> afterText(finished(line));
        case "result" -> ended(line);
        default -> List.of(new ProviderEvent.UnknownEvent(Json.text(line)));
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
}
