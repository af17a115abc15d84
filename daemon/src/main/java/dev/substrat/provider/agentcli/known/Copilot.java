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
import dev.substrat.provider.agentcli.ToolEndpoint;
import java.util.ArrayList;
import java.util.HashMap;
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
    return ProviderCapabilities.ofCli("substrat-{tool}", SystemPromptMethod.FILE)
        .withStreaming()
        .withoutUsage();
  }

  @Override
  public CliLaunch start(CliTurnParameters turn) {
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
            Json.text(McpConfigFile.of(server(turn.endpoint()))),
            "copilot-instructions.md",
            turn.prompt().system()),
        turn.prompt().turn());
  }

  private static ObjectNode server(ToolEndpoint endpoint) {
    ObjectNode entry = McpConfigFile.typed(endpoint);
    if (endpoint instanceof ToolEndpoint.StdioEndpoint) {
      entry.put("type", "local");
    }
    entry.putArray("tools").add("*");
    return entry;
  }

  @Override
  public CliOutputParser outputParser(CliTurnParameters turn) {
    return new CopilotOutput(turn.conversation());
  }

  @Override
  public boolean isUnknownSession(String words) {
    return words.contains("No session, task, or name matched");
  }

  /// Parser of the output of Copilot CLI, which ignores most of its events. The last message is the
  /// answer.
  private static final class CopilotOutput implements CliOutputParser.JsonLineParser {
    private final String session;
    private final Map<String, String> tools = new HashMap<>();
    private String answer = "";
    private String failure = "";
    private boolean hasBegun;

    CopilotOutput(String session) {
      this.session = session;
    }

    @Override
    public List<ProviderEvent> parse(JsonNode line) {
      var events = new ArrayList<ProviderEvent>();
      JsonNode about = line.path("data");
      switch (line.path("type").asText()) {
        case "session.mcp_server_status_changed" ->
            events.add(
                new ProviderEvent.McpServerStatus(
                    about.path("serverName").asText(), about.path("status").asText()));
        case "assistant.message_delta" ->
            events.add(new ProviderEvent.TextDelta(about.path("deltaContent").asText()));
        case "assistant.message" -> said(about, events);
        case "tool.execution_start" -> {
          String id = about.path("toolCallId").asText();
          tools.put(id, about.path("toolName").asText());
          events.add(
              new ProviderEvent.ToolStarted(
                  id, about.path("toolName").asText(), about.path("arguments")));
        }
        case "tool.execution_complete" -> {
          String id = about.path("toolCallId").asText();
          boolean ok = about.path("success").asBoolean();
          String output = ContentText.text(about.path(ok ? "result" : "error"));
          events.add(new ProviderEvent.ToolFinished(id, tools.getOrDefault(id, ""), ok, output));
        }
        case "session.error" -> failure = ContentText.text(about);
        case "result" -> end(line, events);
        default -> events.add(new ProviderEvent.UnknownEvent(Json.text(line)));
      }
      return events;
    }

    private void said(JsonNode about, List<ProviderEvent> events) {
      // Only now does the conversation exist, so that it can be continued.
      if (!hasBegun) {
        hasBegun = true;
        events.add(new ProviderEvent.SessionStarted(session));
      }
      String text = about.path("content").asText();
      if (!text.isEmpty()) {
        answer = text;
        events.add(new ProviderEvent.CompleteText(text));
      }
    }

    private void end(JsonNode line, List<ProviderEvent> events) {
      boolean ok = failure.isEmpty() && line.path("exitCode").asInt() == 0;
      events.add(new ProviderEvent.TurnEnded(ok, ok ? answer : failure));
    }
  }
}
