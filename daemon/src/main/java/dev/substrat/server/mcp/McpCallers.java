package dev.substrat.server.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.mcp.spi.ClientChannel;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.messaging.message.ExternalInboxReads;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.ReadThroughCache;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.ProgressSink;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.execution.CancelSignal;
import dev.substrat.turn.LiveTurn;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.run.ExternalRuns;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Resolves the caller of a tool over MCP: an external agent, or a running turn.
final class McpCallers {
  /// Metadata keys of Claude Code, Codex and goose.
  private static final List<String> KEPT =
      List.of(
          "claudecode/toolUseId",
          "callId",
          "x-codex-turn-metadata",
          "agent-session-id",
          "agent-tool-call-request-id");

  /// Longer ids and progress messages are cut.
  private static final int LONGEST = 1_000;

  /// More than the number of concurrent requests.
  private static final int MAX_ENTRIES = 1_000;

  private final Engine engine;
  private final ExternalInboxReads handOuts;
  private final ReadThroughCache<AgentId, ExternalAgentState> arrivals;

  McpCallers(Engine engine) {
    this.engine = engine;
    this.handOuts = engine.messages().externalReads();
    this.arrivals =
        new ReadThroughCache<>(
            engine.dependencies().database(),
            Set.of("agent", "run", "inbox_event"),
            MAX_ENTRIES,
            McpCallers::arrival);
  }

  /// A caller that has tools.
  interface ToolActor {
    Agent agent();

    /// The run of the call; null if an external agent has no open run.
    @Nullable RunId run();

    List<Tool> tools();

    /// The same, for a client that lists its tools.
    default List<Tool> listTools() {
      return tools();
    }

    ToolPipeline.ResultWithUnread call(String tool, ObjectNode arguments, ClientChannel contact);
  }

  /// Uses the turn that the daemon runs, with its steps, limits and lease.
  ToolActor inTurn(Principal.TurnPrincipal principal) {
    LiveTurn turn =
        engine
            .running()
            .find(principal.run())
            .orElseThrow(() ->
                ProtocolError.notNow(
                    "this turn does not run on this daemon; use the URL that the turn got in "
                        + "SUBSTRAT_MCP_URL"));
    return new TurnActor(turn, engine.pipeline());
  }

  private record TurnActor(LiveTurn turn, ToolPipeline pipeline) implements ToolActor {
    @Override
    public Agent agent() {
      return turn.agent();
    }

    @Override
    public RunId run() {
      return turn.caller().run();
    }

    @Override
    public List<Tool> tools() {
      return pipeline.of(agent());
    }

    @Override
    public List<Tool> listTools() {
      return turn.listTools();
    }

    @Override
    public ToolPipeline.ResultWithUnread call(
        String tool, ObjectNode arguments, ClientChannel contact) {
      return turn.callOverMcp(
          tool,
          arguments,
          contact.idempotencyKey(),
          callIds(contact.meta()),
          progress(contact),
          interest(contact));
    }
  }

  /// Cancelled when the client no longer waits for the response, or loses its access.
  private static CancelSignal interest(ClientChannel contact) {
    var interest = new CancelSignal(contact::watch);
    contact.whenGone(interest::lose);
    return interest;
  }

  /// State of an external agent, read in one query.
  private record ExternalAgentState(Agent agent, @Nullable RunId run, boolean wasGivenMail) {}

  private static ExternalAgentState arrival(Tx tx, AgentId id) {
    return new ExternalAgentState(
        AgentTree.require(tx, id.value()),
        ExternalRuns.findOpen(tx, id).orElse(null),
        ExternalInboxReads.hasUnconfirmed(tx, id, null));
  }

  /// The daemon runs the turns of all other agents; a second client would consume their inbox.
  ToolActor external(Principal.AgentPrincipal principal, @Nullable String key) {
    AgentId id = principal.agent();
    ExternalAgentState arrival = arrivals.get(id);
    if (arrival.wasGivenMail() && hasRead(id, key)) {
      handOuts.confirmRead(id, key);
    }
    Agent agent = arrival.agent();
    if (!agent.isExternal()) {
      throw ProtocolError.notNow(
          agent.name() + " is run by the daemon; only external agents may connect over MCP");
    }
    return new ExternalAgentActor(agent, arrival.run(), engine);
  }

  /// A repeated request has not received its events yet.
  private boolean hasRead(AgentId agent, @Nullable String key) {
    return key == null
        || engine
            .dependencies()
            .database()
            .readByKey(tx -> ExternalInboxReads.hasUnconfirmed(tx, agent, key));
  }

  private record ExternalAgentActor(Agent agent, @Nullable RunId run, Engine engine)
      implements ToolActor {
    @Override
    public List<Tool> tools() {
      return engine.pipeline().of(agent);
    }

    @Override
    public List<Tool> listTools() {
      return engine.pipeline().listed(agent);
    }

    @Override
    public ToolPipeline.ResultWithUnread call(
        String tool, ObjectNode arguments, ClientChannel contact) {
      ToolCaller caller =
          run == null ? engine.externalRuns().caller(agent) : ToolCaller.external(agent, run);
      var call =
          new ToolCall(
              caller,
              0,
              MessageId.random().value(),
              contact.idempotencyKey(),
              callIds(contact.meta()),
              progress(contact),
              interest(contact));
      return engine.pipeline().call(call, tool, arguments);
    }
  }

  /// Ids that clients give their calls, recorded so that a call in a client's log can be found
  /// here. No other client metadata is stored.
  private static @Nullable ObjectNode callIds(ObjectNode meta) {
    var kept = Json.object();
    for (String key : KEPT) {
      if (meta.hasNonNull(key)) {
        kept.set(key, bounded(meta.get(key)));
      }
    }
    return kept.isEmpty() ? null : kept;
  }

  private static JsonNode bounded(JsonNode value) {
    String text = value.isTextual() ? value.textValue() : Json.text(value);
    return text.length() <= LONGEST ? value : new TextNode(bounded(text));
  }

  /// Sends progress notifications of a tool to its client. MCP requires a growing number, so a
  /// report without one counts as one step.
  private static ProgressSink progress(ClientChannel contact) {
    var steps = new AtomicInteger();
    return status -> {
      int step = steps.incrementAndGet();
      contact.progress(
          status.path("progress").asDouble(step),
          status.path("total").asDouble(0),
          message(status));
    };
  }

  /// People read the message: if the status has no text, all of it is shown.
  private static String message(ObjectNode status) {
    return Stream.of(status.path("text"), status.path("status"))
        .filter(JsonNode::isTextual)
        .map(JsonNode::textValue)
        .filter(text -> !text.isBlank())
        .findFirst()
        .map(McpCallers::bounded)
        .orElseGet(() -> bounded(Json.text(status)));
  }

  private static String bounded(String text) {
    if (text.length() <= LONGEST) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
    return text.substring(0, end) + "…";
  }
}
