package dev.substrat.provider.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.log.Log;
import dev.substrat.provider.Provider.Outcome;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.acp.AcpProcess.Broken;
import dev.substrat.provider.agentcli.AgentCli.Counting;
import dev.substrat.provider.agentcli.CliAssignment;
import dev.substrat.provider.agentcli.CliConversation;
import dev.substrat.provider.agentcli.CliError;
import dev.substrat.provider.agentcli.CliRunRecord;
import dev.substrat.provider.agentcli.CliTurn;
import dev.substrat.provider.agentcli.ErrorAnswer;
import dev.substrat.provider.agentcli.ToolEndpoint;
import dev.substrat.provider.agentcli.ToolNameMapping;
import dev.substrat.tool.transcript.ModelUsage;
import dev.substrat.toolset.approval.ProviderApprovals.Decision;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One turn: one prompt in a conversation over the Agent Client Protocol.
final class AcpTurn implements AcpProcess.Listener {
  private static final Log LOG = Log.of(AcpTurn.class);
  private static final int AUTH_REQUIRED = -32_000;
  private static final Set<String> NO_FOR_AN_ANSWER = Set.of("cancelled", "refusal");

  /// The protocol's answer to a permission request has no text, so the prompt explains a refusal
  /// beforehand.
  private static final String ABOUT_PERMISSIONS =
      """
      An action that needs approval is refused immediately, and a person is asked to approve it. \
      Do not try it again in this turn, and do not work around it: say what you are waiting for \
      and end your turn. The answer arrives in your inbox as a result of `permission` and starts a \
      new turn. If it is approved, do exactly the same again: the approval is valid once.
      """;

  private final AcpSession mind;
  private final ProviderTurn turn;
  private final CliRunRecord account;
  private final AcpUpdates hearing = new AcpUpdates();
  private final AcpPermissions permissions;

  /// Updates while an old conversation is loaded repeat old output.
  private boolean isListening;

  /// People are asked whether it may do something.
  private boolean hasAsked;

  AcpTurn(AcpSession mind, ProviderTurn turn, @Nullable String model) {
    this.mind = mind;
    this.turn = turn;
    this.account = new CliRunRecord(Counting.OF_TURN, turn, model, CliConversation.of(turn));
    CliAssignment assignment = mind.assignment();
    this.permissions =
        new AcpPermissions(assignment.isWalled(), assignment.directory(), ToolNameMapping.of(turn));
  }

  Outcome think() throws InterruptedException {
    try {
      if (mind.session() == null) {
        greet();
      } else {
        mind.process().clear(this);
      }
      String session = String.valueOf(mind.session());
      account.record(List.of(new ProviderEvent.SessionStarted(session)));
      turn.events().reversed().forEach(turn::show);
      turn.beginStep();
      isListening = true;
      JsonNode end = mind.process().ask("session/prompt", prompt(session), this);
      return ended(end);
    } catch (Broken e) {
      return CliError.outcome("acp", "acp failed: " + e.getMessage(), account.hasCost());
    } finally {
      account.close();
    }
  }

  private void greet() throws InterruptedException {
    var hello = Json.object().put("protocolVersion", 1);
    var can = hello.putObject("clientCapabilities").put("terminal", false);
    can.putObject("fs").put("readTextFile", false).put("writeTextFile", false);
    JsonNode welcome = mind.process().ask("initialize", hello, this);
    String known = CliConversation.of(turn).session();
    if (known != null && welcome.at("/agentCapabilities/loadSession").asBoolean()) {
      try {
        mind.process().ask("session/load", place().put("sessionId", known), this);
        mind.setSession(known);
        return;
      } catch (Broken e) {
        LOG.info(
            "the conversation is lost, starting a new one",
            "agent",
            turn.agent().handle(),
            "provider",
            "acp",
            "reason",
            e.getMessage());
      }
    }
    mind.setSession(begin(welcome).path("sessionId").asText());
  }

  private JsonNode begin(JsonNode welcome) throws InterruptedException {
    try {
      return mind.process().ask("session/new", place(), this);
    } catch (Broken e) {
      String method = welcome.at("/authMethods/0/id").asText();
      if (e.code() != AUTH_REQUIRED || method.isEmpty()) {
        throw e;
      }
      // With the key it was given in its environment, if that is how it does it.
      mind.process().ask("authenticate", Json.object().put("methodId", method), this);
      return mind.process().ask("session/new", place(), this);
    }
  }

  private ObjectNode place() {
    var place = Json.object().put("cwd", mind.assignment().directory().toString());
    ArrayNode servers = place.putArray("mcpServers");
    ObjectNode ours = servers.addObject().put("name", ToolEndpoint.NAME);
    switch (mind.assignment().door()) {
      case ToolEndpoint.Http http -> {
        ours.put("type", "http").put("url", http.url());
        ours.putArray("headers")
            .addObject()
            .put("name", "Authorization")
            .put("value", "Bearer " + http.token());
      }
      case ToolEndpoint.Stdio stdio -> {
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
    if (!permissions.isWalled()) {
      blocks.addObject().put("type", "text").put("text", ABOUT_PERMISSIONS);
    }
    blocks.addObject().put("type", "text").put("text", turn.prompt().turn());
    return params;
  }

  private Outcome ended(JsonNode end) {
    List<ProviderEvent> said = hearing.saidSoFar();
    String text = said.isEmpty() ? "" : ((ProviderEvent.Text) said.getFirst()).text();
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
    // Some take a no for the end of everything. They are heard again when the person has answered.
    boolean ended = why.equals("end_turn") || (hasAsked && NO_FOR_AN_ANSWER.contains(why));
    Optional<String> apology = ErrorAnswer.in(text);
    boolean ok = ended && apology.isEmpty();
    String last = ok ? text : apology.orElse("the program stopped: " + why);
    account.record(List.of(new ProviderEvent.TurnEnded(ok, last)));
    mind.markToolsListed(turn.hasReachedTools());
    if (apology.isPresent()) {
      return CliError.outcome("acp", "acp failed: " + apology.get(), account.hasCost());
    }
    if (!mind.hasListedTools()) {
      return new Outcome.Failed(
          CliTurn.TOOLS_MISSING
              + ": the ACP program never listed the agent's tools; it stopped: "
              + why);
    }
    return ok ? new Outcome.Finished(text) : new Outcome.Failed("the ACP program stopped: " + why);
  }

  @Override
  public void hear(String method, JsonNode params) {
    if (isListening && method.equals("session/update")) {
      account.record(hearing.hear(params.path("update")));
    }
  }

  @Override
  public @Nullable ObjectNode answer(String method, JsonNode params) {
    if (!method.equals("session/request_permission")) {
      return null;
    }
    JsonNode options = params.path("options");
    if (!isListening) {
      // A turn that is over wants nothing any more.
      return AcpPermissions.choice(options, AcpPermissions.NOT_NOW);
    }
    ObjectNode call = hearing.whole(params.path("toolCall"));
    return permissions.mayDo(call)
        ? AcpPermissions.choice(options, AcpPermissions.ANY_TIME)
        : ask(call, options);
  }

  /// The answer is no, unless a person has said yes to exactly this before.
  private ObjectNode ask(ObjectNode call, JsonNode options) {
    Decision verdict =
        AcpPermissions.canAllowOnce(options)
            ? turn.requestApproval(AcpPermissions.wish(call))
            : Decision.REFUSED;
    hasAsked |= verdict == Decision.ASKED;
    LOG.info(
        "an ACP program requests permission",
        "agent",
        turn.agent().handle(),
        "call",
        call.path("title").asText(),
        "verdict",
        verdict);
    return AcpPermissions.choice(
        options, verdict == Decision.ALLOWED ? AcpPermissions.ONCE : AcpPermissions.NOT_NOW);
  }
}
