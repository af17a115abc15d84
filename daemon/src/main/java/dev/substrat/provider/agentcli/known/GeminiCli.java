package dev.substrat.provider.agentcli.known;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderCapabilities;
import dev.substrat.provider.ProviderCapabilities.SystemPrompt;
import dev.substrat.provider.agentcli.AgentCli;
import dev.substrat.provider.agentcli.CliAssignment;
import dev.substrat.provider.agentcli.CliLaunch;
import dev.substrat.provider.agentcli.CliOutputParser;
import dev.substrat.provider.agentcli.ToolEndpoint;
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
    return ProviderCapabilities.ofCli("mcp_substrat_{tool}", SystemPrompt.FILE).withStreaming();
  }

  @Override
  public CliLaunch start(CliAssignment turn) {
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
            Json.text(settings(turn.door())),
            // Added to what it knows about itself, in every turn; a system prompt of ours would
            // take the place of its own.
            ".gemini/GEMINI.md",
            turn.prompt().system()),
        turn.prompt().turn());
  }

  private static ObjectNode settings(ToolEndpoint door) {
    var settings = McpConfigFile.of(McpConfigFile.untyped(door, "httpUrl"));
    settings
        .withObject("/mcpServers/" + ToolEndpoint.NAME)
        .put("trust", true)
        .put("timeout", AN_HOUR);
    var security = settings.putObject("security");
    security.putObject("auth").put("selectedType", "gemini-api-key");
    // An untrusted folder would silently take the approvals back.
    security.putObject("folderTrust").put("enabled", false);
    settings.putObject("general").put("enableAutoUpdate", false);
    settings.putObject("privacy").put("usageStatisticsEnabled", false);
    settings.putObject("telemetry").put("enabled", false);
    return settings;
  }

  @Override
  public CliOutputParser outputParser(CliAssignment turn) {
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
}
