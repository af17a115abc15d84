package dev.substrat.provider.agentcli.known;

import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderCapabilities;
import dev.substrat.provider.ProviderCapabilities.SystemPromptMethod;
import dev.substrat.provider.agentcli.AgentCli;
import dev.substrat.provider.agentcli.CliLaunch;
import dev.substrat.provider.agentcli.CliOutputParser;
import dev.substrat.provider.agentcli.CliTurnParameters;
import java.util.List;
import java.util.Map;

/// Claude Code, in print mode.
final class ClaudeCode implements AgentCli {
  private static final String SERVER_FILE = "mcp.json";
  private static final List<String> OWN_FILES = List.of("Read(./**)", "Edit(./**)");
  private static final String SYSTEM_FILE = "system.md";

  @Override
  public String name() {
    return "claude";
  }

  @Override
  public List<String> command() {
    return List.of("claude");
  }

  @Override
  public ProviderCapabilities capabilities() {
    return ProviderCapabilities.ofCli("mcp__substrat__{tool}", SystemPromptMethod.FILE);
  }

  @Override
  public CliLaunch start(CliTurnParameters turn) {
    var words =
        new CommandLineBuilder(turn.command())
            .add("-p", "--output-format", "stream-json", "--verbose")
            .option("--model", turn.model())
            .add(turn.session() == null ? "--session-id" : "--resume", turn.conversation())
            .add("--mcp-config", turn.file(SERVER_FILE), "--strict-mcp-config")
            .add("--append-system-prompt-file", turn.file(SYSTEM_FILE))
            // The system prompt may change between turns of a conversation.
            .add("--system-prompt-snapshot", "off")
            // Rejects actions that are not allowed instead of asking at a terminal.
            .add("--permission-mode", "dontAsk", "--allowedTools", "mcp__substrat")
            .addAll(turn.isSandboxed() ? List.of("Read", "Edit", "Bash") : OWN_FILES)
            .addAll(turn.arguments());
    var environment =
        new CliEnvironment()
            .set("ANTHROPIC_BASE_URL", ModelEndpoint.withoutVersion(turn.baseUrl()))
            .set("ANTHROPIC_API_KEY", turn.apiKey())
            // Otherwise the agent's tools are deferred behind a tool search.
            .set("ENABLE_TOOL_SEARCH", "false")
            .set("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            // Long retries hold a slot; a failed turn is retried anyway.
            .set("CLAUDE_CODE_MAX_RETRIES", "2");
    return new CliLaunch(
        words.list(),
        environment.map(),
        Map.of(
            SERVER_FILE,
            Json.text(
                McpConfigFile.of(McpConfigFile.typed(turn.endpoint()).put("alwaysLoad", true))),
            SYSTEM_FILE,
            turn.prompt().system()),
        turn.prompt().turn());
  }

  @Override
  public CliOutputParser outputParser(CliTurnParameters turn) {
    return new StreamJsonOutput();
  }

  @Override
  public List<String> loginFiles() {
    return List.of(".claude/.credentials.json");
  }

  @Override
  public boolean isUnknownSession(String words) {
    return words.contains("No conversation found");
  }

  @Override
  public UsageCounting counting() {
    return UsageCounting.COST_OF_CONVERSATION;
  }
}
