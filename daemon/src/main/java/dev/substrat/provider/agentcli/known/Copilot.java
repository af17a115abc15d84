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

/// GitHub's Copilot CLI, without a terminal. With a base URL it uses the model there and does not
/// contact GitHub.
final class Copilot implements AgentCli {
  private static final String SERVER_FILE = "substrat-mcp.json";

  @Override
  public String name() {
    return "copilot";
  }

  @Override
  public List<String> command() {
    return List.of("copilot");
  }

  @Override
  public ProviderCapabilities capabilities() {
    return ProviderCapabilities.ofCli("substrat-{tool}", SystemPrompt.FILE)
        .withStreaming()
        .withoutUsage();
  }

  @Override
  public CliLaunch start(CliAssignment turn) {
    var words =
        new CommandLineBuilder(turn.command())
            .add("--output-format", "json", "--allow-all-tools")
            .add("--additional-mcp-config", "@" + turn.file(SERVER_FILE))
            .add("--disable-builtin-mcps", "--no-auto-update")
            .option("--model", turn.baseUrl() == null ? turn.model() : null)
            .add(
                turn.session() == null
                    ? "--session-id=" + turn.newSession()
                    : "--resume=" + turn.session())
            .addAll(turn.arguments());
    var environment = new CliEnvironment().set("COPILOT_HOME", turn.home().toString());
    if (turn.baseUrl() == null) {
      environment.set("COPILOT_GITHUB_TOKEN", turn.apiKey());
    } else {
      environment
          .set("COPILOT_OFFLINE", "true")
          .set("COPILOT_PROVIDER_BASE_URL", ModelEndpoint.withVersion(turn.baseUrl()))
          .set("COPILOT_PROVIDER_API_KEY", turn.apiKey())
          .set("COPILOT_MODEL", turn.model());
    }
    return new CliLaunch(
        words.list(),
        environment.map(),
        Map.of(
            SERVER_FILE,
            Json.text(McpConfigFile.of(server(turn.door()))),
            "copilot-instructions.md",
            turn.prompt().system()),
        turn.prompt().turn());
  }

  private static ObjectNode server(ToolEndpoint door) {
    ObjectNode entry = McpConfigFile.typed(door);
    if (door instanceof ToolEndpoint.Stdio) {
      entry.put("type", "local");
    }
    entry.putArray("tools").add("*");
    return entry;
  }

  @Override
  public CliOutputParser outputParser(CliAssignment turn) {
    return new CopilotOutput(turn.conversation());
  }

  @Override
  public boolean isUnknownSession(String words) {
    return words.contains("No session, task, or name matched");
  }
}
