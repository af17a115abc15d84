package dev.substrat.provider.agentcli.known;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderCapabilities;
import dev.substrat.provider.ProviderCapabilities.SystemPromptMethod;
import dev.substrat.provider.agentcli.AgentCli;
import dev.substrat.provider.agentcli.CliLaunch;
import dev.substrat.provider.agentcli.CliOutputParser;
import dev.substrat.provider.agentcli.CliTurnParameters;
import dev.substrat.provider.agentcli.ToolEndpoint;
import java.util.List;
import java.util.Map;

/// Qwen Code, without a terminal, with an OpenAI-compatible model.
final class QwenCode implements AgentCli {
  private static final String SERVER_FILE = "mcp.json";
  private static final int AN_HOUR = 3_600_000;

  @Override
  public String name() {
    return "qwen";
  }

  @Override
  public List<String> command() {
    return List.of("qwen");
  }

  @Override
  public ProviderCapabilities capabilities() {
    return ProviderCapabilities.ofCli("mcp__substrat__{tool}", SystemPromptMethod.FLAG);
  }

  @Override
  public CliLaunch start(CliTurnParameters turn) {
    var words =
        new CommandLineBuilder(turn.command())
            .add("--bare", "--auth-type", "openai", "-o", "stream-json")
            .option("-m", turn.model())
            .add("--approval-mode", "yolo", "--mcp-config", turn.file(SERVER_FILE));
    var who = new SystemPromptArgument(turn.prompt());
    words =
        who.on(words, "--append-system-prompt")
            .add(turn.session() == null ? "--session-id" : "--resume", turn.conversation())
            .addAll(turn.arguments());
    var environment =
        new CliEnvironment()
            .set("OPENAI_BASE_URL", ModelEndpoint.withVersion(turn.baseUrl()))
            .set("OPENAI_API_KEY", turn.apiKey())
            .set("QWEN_CODE_NO_RELAUNCH", "1")
            .set("QWEN_CODE_SUPPRESS_YOLO_WARNING", "1");
    return new CliLaunch(
        words.list(),
        environment.map(),
        Map.of(
            SERVER_FILE,
            Json.text(McpConfigFile.of(server(turn.endpoint()))),
            ".qwen/settings.json",
            Json.text(settings())),
        who.input());
  }

  /// Otherwise the agent's tools are deferred behind a tool search.
  private static ObjectNode server(ToolEndpoint endpoint) {
    return McpConfigFile.untyped(endpoint, "httpUrl")
        .put("trust", true)
        .put("alwaysLoadTools", true)
        .put("timeout", AN_HOUR);
  }

  private static ObjectNode settings() {
    var settings = Json.object();
    settings.putObject("general").put("enableAutoUpdate", false);
    settings.putObject("privacy").put("usageStatisticsEnabled", false);
    settings.putObject("telemetry").put("enabled", false);
    return settings;
  }

  @Override
  public CliOutputParser outputParser(CliTurnParameters turn) {
    return new StreamJsonOutput();
  }

  @Override
  public boolean isUnknownSession(String words) {
    return words.contains("No saved session found") || words.contains("No conversation found");
  }

  @Override
  public UsageCounting counting() {
    return UsageCounting.OF_CONVERSATION;
  }
}
