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

/// Goose, as `goose run`. It supports several model providers; default: an OpenAI-compatible one.
final class Goose implements AgentCli {
  private static final String URL = "SUBSTRAT_MCP_URL";
  private static final String TOKEN = "SUBSTRAT_TOKEN";
  private static final int AN_HOUR = 3_600;

  @Override
  public String name() {
    return "goose";
  }

  @Override
  public List<String> command() {
    return List.of("goose");
  }

  @Override
  public ProviderCapabilities capabilities() {
    return ProviderCapabilities.ofCli("substrat__{tool}", SystemPromptMethod.FLAG).withStreaming();
  }

  @Override
  public CliLaunch start(CliTurnParameters turn) {
    var words =
        new CommandLineBuilder(turn.command())
            .add("run", "-q", "--output-format", "stream-json", "-n", turn.conversation());
    if (turn.session() != null) {
      words.add("-r");
    }
    var who = new SystemPromptArgument(turn.prompt());
    who.on(words, "--system").addAll(turn.arguments()).add("-i", "-");
    var environment =
        new CliEnvironment()
            .set("GOOSE_PATH_ROOT", turn.home().toString())
            .set("GOOSE_DISABLE_KEYRING", "1")
            .set("GOOSE_MODEL", turn.model())
            .set("OPENAI_HOST", ModelEndpoint.withoutVersion(turn.baseUrl()))
            .set("OPENAI_API_KEY", turn.apiKey());
    if (turn.endpoint() instanceof ToolEndpoint.HttpEndpoint http) {
      environment.set(URL, http.url()).set(TOKEN, http.token());
    }
    // JSON is YAML as well.
    return new CliLaunch(
        words.list(),
        environment.map(),
        Map.of("config/config.yaml", Json.text(configuration(turn.endpoint()))),
        who.input());
  }

  private static ObjectNode configuration(ToolEndpoint endpoint) {
    var file =
        Json.object()
            .put("GOOSE_PROVIDER", "openai")
            .put("GOOSE_MODE", "auto")
            .put("GOOSE_TELEMETRY_ENABLED", false);
    var extensions = file.putObject("extensions");
    extensions
        .putObject("developer")
        .put("enabled", true)
        .put("type", "platform")
        .put("name", "developer")
        .put("description", "files and commands in the working directory")
        .put("bundled", true);
    var ours =
        extensions
            .putObject(ToolEndpoint.NAME)
            .put("enabled", true)
            .put("name", ToolEndpoint.NAME)
            .put("description", "messages, team and tools of this agent")
            .put("timeout", AN_HOUR);
    switch (endpoint) {
      case ToolEndpoint.HttpEndpoint _ -> {
        // A conversation keeps the server configuration of its start, so URL and token are
        // environment variables.
        ours.put("type", "streamable_http").put("uri", "${" + URL + "}");
        ours.putObject("headers").put("Authorization", "Bearer ${" + TOKEN + "}");
        ours.putArray("env_keys").add(URL).add(TOKEN);
      }
      case ToolEndpoint.StdioEndpoint stdio -> {
        ours.put("type", "stdio").put("cmd", stdio.command().getFirst());
        var arguments = ours.putArray("args");
        stdio.command().stream().skip(1).forEach(arguments::add);
      }
    }
    return file;
  }

  @Override
  public CliOutputParser outputParser(CliTurnParameters turn) {
    return new GooseOutput(turn.conversation());
  }

  @Override
  public boolean isUnknownSession(String words) {
    return words.contains("No session found") || words.contains("Cannot find session");
  }

  @Override
  public UsageCounting counting() {
    return UsageCounting.OF_CONVERSATION;
  }
}
