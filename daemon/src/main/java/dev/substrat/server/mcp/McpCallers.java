package dev.substrat.server.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.ClientChannel;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.messaging.message.ExternalInboxReads;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.store.ReadThroughCache;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
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
import org.jspecify.annotations.Nullable;

/// Resolves the caller of a tool over MCP: an external agent, or a running turn.
final class McpCallers {
  /// More than come at a time.
  private static final int MOST_REMEMBERED = 1_000;

  private final Engine engine;
  private final ExternalInboxReads handOuts;
  private final ReadThroughCache<AgentId, Handshake> arrivals;

  McpCallers(Engine engine) {
    this.engine = engine;
    this.handOuts = engine.messages().externalReads();
    this.arrivals =
        new ReadThroughCache<>(
            engine.dependencies().database(),
            Set.of("agent", "run", "inbox_event"),
            MOST_REMEMBERED,
            McpCallers::arrival);
  }

  /// A caller that has tools.
  interface Actor {
    Agent agent();

    /// The run in which it calls; null if an external agent has none open.
    @Nullable RunId run();

    List<Tool> tools();

    /// The same, because it has asked what there is.
    default List<Tool> listTools() {
      return tools();
    }

    ToolPipeline.Answer call(String tool, ObjectNode arguments, ClientChannel contact);
  }

  /// Goes through the very turn that the daemon runs: its steps, its limits, its fence.
  Actor inTurn(Principal.OfTurn principal) {
    LiveTurn turn =
        engine
            .running()
            .find(principal.run())
            .orElseThrow(() ->
                ProtocolError.notNow(
                    "this turn does not run on this daemon; use the URL that the turn got in "
                        + "SUBSTRAT_MCP_URL"));
    return new InTurn(turn, engine.toolbox());
  }

  private record InTurn(LiveTurn turn, ToolPipeline toolbox) implements Actor {
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
      return toolbox.of(agent());
    }

    @Override
    public List<Tool> listTools() {
      return turn.listTools();
    }

    @Override
    public ToolPipeline.Answer call(String tool, ObjectNode arguments, ClientChannel contact) {
      return turn.callOverMcp(
          tool,
          arguments,
          contact.idempotencyKey(),
          ClientCallIds.of(contact.meta()),
          ProgressReports.to(contact),
          interest(contact));
    }
  }

  /// As long as its client waits for the answer, and may have it.
  private static CancelSignal interest(ClientChannel contact) {
    var interest = new CancelSignal(contact::watch);
    contact.whenGone(interest::lose);
    return interest;
  }

  /// All that must be known of an agent that comes by itself, from one look.
  private record Handshake(Agent agent, @Nullable RunId run, boolean wasGivenMail) {}

  private static Handshake arrival(Tx tx, AgentId id) {
    return new Handshake(
        AgentTree.require(tx, id.value()),
        ExternalRuns.findOpen(tx, id).orElse(null),
        ExternalInboxReads.hasUnconfirmed(tx, id, null));
  }

  /// The daemon runs the turns of all other agents; a second client would consume their inbox.
  Actor external(Principal.OfAgent principal, @Nullable String key) {
    AgentId id = principal.agent();
    Handshake arrival = arrivals.get(id);
    if (arrival.wasGivenMail() && hasRead(id, key)) {
      handOuts.confirmRead(id, key);
    }
    Agent agent = arrival.agent();
    if (!agent.isExternal()) {
      throw ProtocolError.notNow(
          agent.name() + " is run by the daemon; only external agents may connect over MCP");
    }
    return new ExternalAgent(agent, arrival.run(), engine);
  }

  /// A repeated request has not received its events yet.
  private boolean hasRead(AgentId agent, @Nullable String key) {
    return key == null
        || engine
            .dependencies()
            .database()
            .readByKey(tx -> ExternalInboxReads.hasUnconfirmed(tx, agent, key));
  }

  private record ExternalAgent(Agent agent, @Nullable RunId run, Engine engine) implements Actor {
    @Override
    public List<Tool> tools() {
      return engine.toolbox().of(agent);
    }

    @Override
    public List<Tool> listTools() {
      return engine.toolbox().listed(agent);
    }

    @Override
    public ToolPipeline.Answer call(String tool, ObjectNode arguments, ClientChannel contact) {
      ToolCaller caller =
          run == null ? engine.externalRuns().caller(agent) : ToolCaller.external(agent, run);
      var call =
          new ToolCall(
              caller,
              0,
              MessageId.random().value(),
              contact.idempotencyKey(),
              ClientCallIds.of(contact.meta()),
              ProgressReports.to(contact),
              interest(contact));
      return engine.toolbox().call(call, tool, arguments);
    }
  }
}
