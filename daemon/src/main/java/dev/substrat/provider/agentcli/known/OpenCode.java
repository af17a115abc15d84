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
import dev.substrat.tool.transcript.ModelUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// opencode, as `opencode run`. With a base URL it uses the OpenAI-compatible API there; without
/// one `model` is `vendor/model`, and the key is in the vendor's environment variable.
final class OpenCode implements AgentCli {
  private static final String FILE = "opencode.json";
  private static final String AGENT = "substrat";
  private static final String CONFIGURED = "configured";
  private static final String TOKEN = "SUBSTRAT_TOKEN";
  private static final String KEY = "SUBSTRAT_MODEL_KEY";
  private static final int AN_HOUR = 3_600_000;

  /// A model that is not found has another error.
  private static final Pattern FORGOTTEN =
      Pattern.compile("Session not found|(?<![A-Za-z])NotFoundError");

  @Override
  public String name() {
    return "opencode";
  }

  @Override
  public List<String> command() {
    return List.of("opencode");
  }

  @Override
  public ProviderCapabilities capabilities() {
    return ProviderCapabilities.ofCli("substrat_{tool}", SystemPromptMethod.FILE);
  }

  @Override
  public CliLaunch start(CliTurnParameters turn) {
    var words =
        new CommandLineBuilder(turn.command())
            .add("run", "--format", "json", "--agent", AGENT, "--title", AGENT)
            .option("-s", turn.session())
            .addAll(turn.arguments());
    var environment =
        new CliEnvironment()
            .set("OPENCODE_CONFIG", turn.file(FILE))
            .set("OPENCODE_DISABLE_AUTOUPDATE", "1")
            .set("OPENCODE_DISABLE_MODELS_FETCH", "1")
            .set(KEY, turn.apiKey());
    if (turn.endpoint() instanceof ToolEndpoint.HttpEndpoint http) {
      environment.set(TOKEN, http.token());
    }
    return new CliLaunch(
        words.list(),
        environment.map(),
        Map.of(FILE, Json.text(configuration(turn))),
        turn.prompt().turn());
  }

  private static ObjectNode configuration(CliTurnParameters turn) {
    var file = Json.object().put("autoupdate", false).put("share", "disabled");
    var agent = file.putObject("agent").putObject(AGENT);
    agent.put("mode", "primary").put("prompt", turn.prompt().system());
    if (turn.model() != null) {
      String model = turn.baseUrl() == null ? turn.model() : CONFIGURED + "/" + turn.model();
      file.put("model", model).put("small_model", model);
      agent.put("model", model);
    }
    if (turn.baseUrl() != null && turn.model() != null) {
      file.putArray("enabled_providers").add(CONFIGURED);
      var provider = file.putObject("provider").putObject(CONFIGURED);
      provider.put("npm", "@ai-sdk/openai-compatible");
      var options = provider.putObject("options");
      options.put("baseURL", ModelEndpoint.withVersion(turn.baseUrl()));
      options.put("apiKey", "{env:" + KEY + "}");
      provider.putObject("models").putObject(turn.model()).put("tool_call", true);
    }
    server(file.putObject("mcp").putObject(ToolEndpoint.NAME), turn.endpoint());
    file.putObject("permission").put("*", "allow");
    return file;
  }

  private static void server(ObjectNode entry, ToolEndpoint endpoint) {
    entry.put("enabled", true).put("timeout", AN_HOUR);
    switch (endpoint) {
      case ToolEndpoint.HttpEndpoint http -> {
        entry.put("type", "remote").put("url", http.url()).put("oauth", false);
        entry.putObject("headers").put("Authorization", "Bearer {env:" + TOKEN + "}");
      }
      case ToolEndpoint.StdioEndpoint stdio -> {
        entry.put("type", "local");
        var command = entry.putArray("command");
        stdio.command().forEach(command::add);
      }
    }
  }

  @Override
  public CliOutputParser outputParser(CliTurnParameters turn) {
    return new OpenCodeOutput();
  }

  @Override
  public List<String> loginFiles() {
    return List.of(".local/share/opencode/auth.json");
  }

  @Override
  public boolean isUnknownSession(String words) {
    return FORGOTTEN.matcher(words).find();
  }

  /// Parser of `opencode run --format json`. There is no final event: the last text is the answer.
  private static final class OpenCodeOutput implements CliOutputParser.JsonLineParser {
    private static final double MICROS = 1_000_000;

    private String session = "";
    private String answer = "";
    private String failure = "";
    private boolean hasFinished;
    private long input;
    private long output;
    private long cost;

    @Override
    public List<ProviderEvent> parse(JsonNode line) {
      var events = new ArrayList<ProviderEvent>();
      String id = line.path("sessionID").asText();
      if (!id.isEmpty() && !id.equals(session)) {
        session = id;
        events.add(new ProviderEvent.SessionStarted(id));
      }
      JsonNode part = line.path("part");
      switch (line.path("type").asText()) {
        case "step_start" -> hasFinished = false;
        case "text" -> {
          answer = part.path("text").asText();
          events.add(new ProviderEvent.CompleteText(answer));
        }
        case "tool_use" -> call(part, events);
        case "step_finish" -> finish(part, events);
        case "error" -> failure = ContentText.text(line.path("error"));
        default -> events.add(new ProviderEvent.UnknownEvent(Json.text(line)));
      }
      return events;
    }

    /// A call is reported when it has ended.
    private static void call(JsonNode part, List<ProviderEvent> events) {
      String id = part.path("callID").asText();
      String tool = part.path("tool").asText();
      JsonNode state = part.path("state");
      boolean ok = state.path("status").asText().equals("completed");
      events.add(new ProviderEvent.ToolStarted(id, tool, state.path("input")));
      events.add(
          new ProviderEvent.ToolFinished(
              id, tool, ok, ContentText.text(state.path(ok ? "output" : "error"))));
    }

    private void finish(JsonNode part, List<ProviderEvent> events) {
      hasFinished = !part.path("reason").asText().equals("tool-calls");
      JsonNode tokens = part.path("tokens");
      var step =
          new ModelUsage(
              tokens.path("input").asLong() + tokens.at("/cache/read").asLong(),
              tokens.path("output").asLong(),
              Math.round(part.path("cost").asDouble() * MICROS));
      input += step.inputTokens();
      output += step.outputTokens();
      cost += step.costMicros();
      events.add(new ProviderEvent.PartialUsage(step));
    }

    @Override
    public List<ProviderEvent> end() {
      var events = new ArrayList<ProviderEvent>();
      if (input + output > 0) {
        events.add(new ProviderEvent.UsageTotal(new ModelUsage(input, output, cost)));
      }
      if (!failure.isEmpty()) {
        events.add(new ProviderEvent.TurnEnded(false, failure));
      } else if (hasFinished) {
        events.add(new ProviderEvent.TurnEnded(true, answer));
      }
      return events;
    }
  }
}
