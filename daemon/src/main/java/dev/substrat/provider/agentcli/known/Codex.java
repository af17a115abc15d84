package dev.substrat.provider.agentcli.known;

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
import java.util.stream.Collectors;

/// OpenAI's Codex, as `codex exec`.
final class Codex implements AgentCli {
  private static final String KEY = "SUBSTRAT_MODEL_KEY";
  private static final String TOKEN = "SUBSTRAT_TOKEN";

  @Override
  public String name() {
    return "codex";
  }

  @Override
  public List<String> command() {
    return List.of("codex");
  }

  @Override
  public ProviderCapabilities capabilities() {
    return ProviderCapabilities.ofCli("mcp__substrat.{tool}", SystemPromptMethod.FILE);
  }

  @Override
  public CliLaunch start(CliTurnParameters turn) {
    var words = new CommandLineBuilder(turn.command()).add("exec");
    if (turn.session() != null) {
      words.add("resume");
    }
    words.add("--json", "--skip-git-repo-check").addAll(turn.arguments());
    if (turn.session() != null) {
      words.add(turn.session());
    }
    var environment =
        new CliEnvironment()
            .set("CODEX_HOME", turn.home().toString())
            .set(turn.baseUrl() == null ? "CODEX_API_KEY" : KEY, turn.apiKey());
    if (turn.endpoint() instanceof ToolEndpoint.HttpEndpoint http) {
      environment.set(TOKEN, http.token());
    }
    return new CliLaunch(
        words.add("-").list(),
        environment.map(),
        Map.of("config.toml", configuration(turn)),
        turn.prompt().turn());
  }

  /// In a file of its private home directory, because it may be long.
  private static String configuration(CliTurnParameters turn) {
    var file = new TomlWriter();
    if (turn.model() != null) {
      file.put("model", turn.model());
    }
    file.put("developer_instructions", turn.prompt().system())
        // No person can be asked. Shell commands are confined by the sandbox; without one, by
        // Codex's own sandbox, which does not work inside ours.
        .put("approval_policy", "never")
        .put("sandbox_mode", turn.isSandboxed() ? "danger-full-access" : "workspace-write")
        .put("check_for_update_on_startup", false);
    if (turn.baseUrl() != null) {
      file.put("model_provider", "configured");
    }
    // Substrat has its own sub-agents and goals.
    file.table("features")
        .put("multi_agent", false)
        .put("goals", false)
        .put("plugins", false)
        .put("apps", false);
    file.table("analytics").put("enabled", false);
    file.table("otel").put("metrics_exporter", "none");
    if (turn.baseUrl() != null) {
      model(file.table("model_providers.configured"), turn);
    }
    server(file.table("mcp_servers." + ToolEndpoint.NAME), turn.endpoint());
    return file.text();
  }

  private static void model(TomlWriter file, CliTurnParameters turn) {
    file.put("name", "configured")
        .put("base_url", String.valueOf(ModelEndpoint.withVersion(turn.baseUrl())))
        .put("wire_api", "responses")
        .put("request_max_retries", 2)
        .put("stream_max_retries", 2);
    if (turn.apiKey() != null) {
      file.put("env_key", KEY);
    }
  }

  private static void server(TomlWriter file, ToolEndpoint endpoint) {
    switch (endpoint) {
      case ToolEndpoint.HttpEndpoint http ->
          file.put("url", http.url()).put("bearer_token_env_var", TOKEN);
      case ToolEndpoint.StdioEndpoint stdio ->
          file.put("command", stdio.command().getFirst())
              .put("args", stdio.command().subList(1, stdio.command().size()));
    }
    // Otherwise the first request may be sent before the tools are loaded.
    file.put("required", true)
        .put("startup_timeout_sec", 60)
        .put("tool_timeout_sec", 3600)
        .put("default_tools_approval_mode", "approve");
  }

  @Override
  public CliOutputParser outputParser(CliTurnParameters turn) {
    return new CodexOutput();
  }

  @Override
  public List<String> loginFiles() {
    return List.of("auth.json");
  }

  @Override
  public boolean isUnknownSession(String words) {
    return words.contains("no rollout found") || words.contains("thread not found");
  }

  @Override
  public UsageCounting counting() {
    return UsageCounting.OF_CONVERSATION;
  }

  /// Writer of the TOML that Codex needs. Values come before tables, because everything after a
  /// table's header belongs to it.
  private static final class TomlWriter {
    private final StringBuilder text = new StringBuilder();

    TomlWriter put(String key, String value) {
      return line(key, quoted(value));
    }

    TomlWriter put(String key, boolean value) {
      return line(key, String.valueOf(value));
    }

    TomlWriter put(String key, int value) {
      return line(key, String.valueOf(value));
    }

    TomlWriter put(String key, List<String> values) {
      return line(
          key, values.stream().map(TomlWriter::quoted).collect(Collectors.joining(", ", "[", "]")));
    }

    TomlWriter table(String name) {
      text.append("\n[").append(name).append("]\n");
      return this;
    }

    private TomlWriter line(String key, String value) {
      text.append(key).append(" = ").append(value).append('\n');
      return this;
    }

    /// JSON quoting is valid in TOML except for one character.
    private static String quoted(String value) {
      return Json.text(value).replace("\u007f", "\\u007f");
    }

    String text() {
      return text.toString();
    }
  }
}
