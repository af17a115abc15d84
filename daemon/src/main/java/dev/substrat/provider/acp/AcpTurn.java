package dev.substrat.provider.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.log.Log;
import dev.substrat.provider.Provider.TurnOutcome;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.acp.AcpProcess.AcpException;
import dev.substrat.provider.agentcli.AgentCli.UsageCounting;
import dev.substrat.provider.agentcli.CliConversation;
import dev.substrat.provider.agentcli.CliError;
import dev.substrat.provider.agentcli.CliOutputCollector;
import dev.substrat.provider.agentcli.CliTurn;
import dev.substrat.provider.agentcli.CliTurnParameters;
import dev.substrat.provider.agentcli.ErrorAnswerDetector;
import dev.substrat.provider.agentcli.StreamedTextCollector;
import dev.substrat.provider.agentcli.ToolEndpoint;
import dev.substrat.provider.agentcli.ToolNameMapping;
import dev.substrat.tool.transcript.ModelUsage;
import dev.substrat.toolset.approval.ProviderApprovals.ApprovalDecision;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One turn of an ACP program: one prompt in its conversation.
final class AcpTurn implements AcpProcess.AcpMessageListener {
  private static final Log LOG = Log.of(AcpTurn.class);
  private static final int AUTH_REQUIRED = -32_000;
  private static final Set<String> REFUSED_ENDS = Set.of("cancelled", "refusal");

  /// The protocol's answer to a permission request has no text, so the prompt explains a refusal
  /// beforehand.
  private static final String ABOUT_PERMISSIONS =
      """
      An action that needs approval is rejected immediately, and a person is asked to approve it.
      Do not repeat the action in this turn, and do not work around it: say what you are waiting
      for and end your turn. The answer arrives in your inbox as a result of `permission` and
      starts a new turn. If the action is approved, repeat exactly the same action: the approval
      is valid once.
      """;

  private final AcpSession program;
  private final ProviderTurn turn;
  private final CliOutputCollector account;
  private final AcpUpdates updates = new AcpUpdates();
  private final AcpPermissions permissions;

  /// Updates while an old conversation is loaded repeat old output.
  private boolean isListening;

  /// A person was asked for an approval in this turn.
  private boolean hasAsked;

  AcpTurn(AcpSession program, ProviderTurn turn, @Nullable String model) {
    this.program = program;
    this.turn = turn;
    this.account =
        new CliOutputCollector(UsageCounting.OF_TURN, turn, model, CliConversation.of(turn));
    CliTurnParameters assignment = program.assignment();
    this.permissions =
        new AcpPermissions(
            assignment.isSandboxed(), assignment.directory(), ToolNameMapping.of(turn));
  }

  TurnOutcome run() throws InterruptedException {
    try {
      if (program.session() == null) {
        initialize();
      } else {
        program.process().clear(this);
      }
      String session = String.valueOf(program.session());
      account.record(List.of(new ProviderEvent.SessionStarted(session)));
      turn.events().reversed().forEach(turn::show);
      turn.beginStep();
      isListening = true;
      JsonNode end = program.process().ask("session/prompt", prompt(session), this);
      return ended(end);
    } catch (AcpException e) {
      return CliError.outcome("acp", "acp failed: " + e.getMessage(), account.hasCost());
    } finally {
      account.close();
    }
  }

  private void initialize() throws InterruptedException {
    var hello = Json.object().put("protocolVersion", 1);
    var can = hello.putObject("clientCapabilities").put("terminal", false);
    can.putObject("fs").put("readTextFile", false).put("writeTextFile", false);
    JsonNode welcome = program.process().ask("initialize", hello, this);
    String known = CliConversation.of(turn).session();
    if (known != null && welcome.at("/agentCapabilities/loadSession").asBoolean()) {
      try {
        program.process().ask("session/load", place().put("sessionId", known), this);
        program.setSession(known);
        return;
      } catch (AcpException e) {
        LOG.info(
            "the conversation is lost, starting a new conversation",
            "agent",
            turn.agent().handle(),
            "provider",
            "acp",
            "reason",
            e.getMessage());
      }
    }
    program.setSession(begin(welcome).path("sessionId").asText());
  }

  private JsonNode begin(JsonNode welcome) throws InterruptedException {
    try {
      return program.process().ask("session/new", place(), this);
    } catch (AcpException e) {
      String method = welcome.at("/authMethods/0/id").asText();
      if (e.code() != AUTH_REQUIRED || method.isEmpty()) {
        throw e;
      }
      // Uses the API key in its environment, if the program supports that.
      program.process().ask("authenticate", Json.object().put("methodId", method), this);
      return program.process().ask("session/new", place(), this);
    }
  }

  private ObjectNode place() {
    var place = Json.object().put("cwd", program.assignment().directory().toString());
    ArrayNode servers = place.putArray("mcpServers");
    ObjectNode ours = servers.addObject().put("name", ToolEndpoint.NAME);
    switch (program.assignment().endpoint()) {
      case ToolEndpoint.HttpEndpoint http -> {
        ours.put("type", "http").put("url", http.url());
        ours.putArray("headers")
            .addObject()
            .put("name", "Authorization")
            .put("value", "Bearer " + http.token());
      }
      case ToolEndpoint.StdioEndpoint stdio -> {
        ours.put("command", stdio.command().getFirst());
        var arguments = ours.putArray("args");
        stdio.command().stream().skip(1).forEach(arguments::add);
        ours.putArray("env");
      }
    }
    return place;
  }

  /// The protocol has no system prompt, so it is part of each prompt.
  private ObjectNode prompt(String session) {
    var params = Json.object().put("sessionId", session);
    ArrayNode blocks = params.putArray("prompt");
    blocks.addObject().put("type", "text").put("text", turn.prompt().system());
    if (!permissions.isSandboxed()) {
      blocks.addObject().put("type", "text").put("text", ABOUT_PERMISSIONS);
    }
    blocks.addObject().put("type", "text").put("text", turn.prompt().turn());
    return params;
  }

  private TurnOutcome ended(JsonNode end) {
    List<ProviderEvent> said = updates.saidSoFar();
    String text = said.isEmpty() ? "" : ((ProviderEvent.CompleteText) said.getFirst()).text();
    account.record(said);
    JsonNode usage = end.path("usage");
    if (usage.isObject()) {
      account.record(
          List.of(
              new ProviderEvent.UsageTotal(
                  new ModelUsage(
                      usage.path("inputTokens").asLong(),
                      usage.path("outputTokens").asLong(),
                      0))));
    }
    String why = end.path("stopReason").asText();
    // Some programs end the turn after a rejected action. The approval starts a new turn.
    boolean ended = why.equals("end_turn") || (hasAsked && REFUSED_ENDS.contains(why));
    Optional<String> error = ErrorAnswerDetector.in(text);
    boolean ok = ended && error.isEmpty();
    String last = ok ? text : error.orElse("the program stopped: " + why);
    account.record(List.of(new ProviderEvent.TurnEnded(ok, last)));
    program.markToolsListed(turn.hasReachedTools());
    if (error.isPresent()) {
      return CliError.outcome("acp", "acp failed: " + error.get(), account.hasCost());
    }
    if (!program.hasListedTools()) {
      return new TurnOutcome.TurnFailed(
          CliTurn.TOOLS_MISSING
              + ": the ACP program never listed the agent's tools; it stopped: "
              + why);
    }
    return ok
        ? new TurnOutcome.TurnFinished(text)
        : new TurnOutcome.TurnFailed("the ACP program stopped: " + why);
  }

  @Override
  public void onNotification(String method, JsonNode params) {
    if (isListening && method.equals("session/update")) {
      account.record(updates.hear(params.path("update")));
    }
  }

  @Override
  public @Nullable ObjectNode answer(String method, JsonNode params) {
    if (!method.equals("session/request_permission")) {
      return null;
    }
    JsonNode options = params.path("options");
    if (!isListening) {
      // The turn has ended.
      return AcpPermissions.choice(options, AcpPermissions.NOT_NOW);
    }
    ObjectNode call = updates.whole(params.path("toolCall"));
    return permissions.mayDo(call)
        ? AcpPermissions.choice(options, AcpPermissions.ANY_TIME)
        : ask(call, options);
  }

  /// Rejects the action, unless a person has approved exactly this one before.
  private ObjectNode ask(ObjectNode call, JsonNode options) {
    ApprovalDecision verdict =
        AcpPermissions.canAllowOnce(options)
            ? turn.requestApproval(AcpPermissions.approvalRequest(call))
            : ApprovalDecision.REFUSED;
    hasAsked |= verdict == ApprovalDecision.ASKED;
    LOG.info(
        "an ACP program requests permission",
        "agent",
        turn.agent().handle(),
        "call",
        call.path("title").asText(),
        "verdict",
        verdict);
    return AcpPermissions.choice(
        options,
        verdict == ApprovalDecision.ALLOWED ? AcpPermissions.ONCE : AcpPermissions.NOT_NOW);
  }

  /// Converts ACP session updates into provider events. A text arrives in pieces and is complete
  /// when another kind of update arrives.
  private static final class AcpUpdates {
    /// The merged updates of each call.
    private final Map<String, ObjectNode> calls = new HashMap<>();

    private final StreamedTextCollector saying = new StreamedTextCollector();

    List<ProviderEvent> hear(JsonNode update) {
      return switch (update.path("sessionUpdate").asText()) {
        case "agent_message_chunk" -> List.of(saying.piece(update.at("/content/text").asText()));
        case "agent_thought_chunk" ->
            List.of(new ProviderEvent.ReasoningText(update.at("/content/text").asText()));
        case "tool_call" -> started(update);
        case "tool_call_update" -> changed(update);
        default -> List.of(new ProviderEvent.UnknownEvent(Json.text(update)));
      };
    }

    private List<ProviderEvent> started(JsonNode update) {
      List<ProviderEvent> events = saying.end();
      String id = update.path("toolCallId").asText();
      calls.put(id, whole(update));
      events.add(
          new ProviderEvent.ToolStarted(
              id, update.path("title").asText(), update.path("rawInput")));
      return events;
    }

    private List<ProviderEvent> changed(JsonNode update) {
      String id = update.path("toolCallId").asText();
      String status = update.path("status").asText();
      ObjectNode call = whole(update);
      calls.put(id, call);
      boolean isOver = status.equals("completed") || status.equals("failed");
      return isOver
          ? List.of(
              new ProviderEvent.ToolFinished(
                  id,
                  call.path("title").asText(),
                  status.equals("completed"),
                  update.path("content").findValuesAsText("text").toString()))
          : List.of();
    }

    /// A call with all its updates: later ones contain only what is new.
    ObjectNode whole(JsonNode update) {
      ObjectNode known = calls.getOrDefault(update.path("toolCallId").asText(), Json.object());
      ObjectNode whole = known.deepCopy();
      update.properties().stream()
          .filter(one -> !one.getValue().isNull())
          .forEach(one -> whole.set(one.getKey(), one.getValue()));
      return whole;
    }

    /// The text since the last event of another kind, if there is one.
    List<ProviderEvent> saidSoFar() {
      return saying.end();
    }
  }
}
