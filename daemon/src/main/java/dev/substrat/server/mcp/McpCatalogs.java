package dev.substrat.server.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.catalog.zoo.AgentZoo;
import dev.substrat.catalog.zoo.ZooTool;
import dev.substrat.catalog.zoo.ZooTools;
import dev.substrat.mcp.spi.CatalogChange;
import dev.substrat.mcp.spi.ChangeWatch;
import dev.substrat.mcp.spi.ClientChannel;
import dev.substrat.mcp.spi.McpCatalog;
import dev.substrat.mcp.spi.McpCatalogSource;
import dev.substrat.mcp.spi.McpOutcome;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.mcp.spi.ToolDefinitionList;
import dev.substrat.memory.BrainEntries;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.provider.prompt.WorkingRules;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.toolset.custom.PendingCallCompletion;
import dev.substrat.turn.engine.Engine;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Chooses the catalog of an MCP client by its credential only.
public final class McpCatalogs implements McpCatalogSource, AutoCloseable {
  private static final String OF_AGENT = "agent/";
  private static final int MAX_CONFIRMED_AGENTS = 1_000;

  private final Database database;

  /// Confirmed claims: they need no second check, and a renamed agent stays the same agent.
  private final Set<String> confirmed = ConcurrentHashMap.newKeySet();

  private final McpCallers callers;
  private final ToolDescriptors cards = new ToolDescriptors();
  private final AgentResources descriptors;
  private final AgentPrompts scripts;
  private final PendingTasks tasks;
  private final ChangeFeed changes;
  private final AgentZoo zoo;
  private final ZooResources zooDescriptors;
  private final BrainEntries brain;
  private final List<ZooTool> zooTools;

  public McpCatalogs(Engine engine) {
    this.database = engine.dependencies().database();
    this.callers = new McpCallers(engine);
    this.descriptors =
        new AgentResources(engine.dependencies().database(), engine.dependencies().clock());
    this.scripts = new AgentPrompts(engine.prompts());
    this.tasks =
        new PendingTasks(
            engine.dependencies().database(),
            engine.pendingCalls(),
            AgentCatalog::result,
            new ClientTaskHandler(engine.customTools().answers()));
    this.changes = new ChangeFeed(engine.dependencies().database(), engine.events());
    this.zoo = new AgentZoo(engine.dependencies().database());
    this.zooDescriptors = new ZooResources(zoo);
    this.brain = engine.memory().brain();
    this.zooTools = ZooTools.of(zoo, brain);
  }

  @Override
  public McpCatalog catalogOf(Principal principal, @Nullable String idempotencyKey) {
    return switch (principal) {
      case Principal.OperatorPrincipal _, Principal.PersonPrincipal _ -> new EmptyCatalog();
      case Principal.AgentPrincipal one -> catalog(callers.external(one, idempotencyKey));
      case Principal.TurnPrincipal turn -> catalog(callers.inTurn(turn));
      case Principal.ZooPrincipal visitor -> zooCatalog(visitor);
    };
  }

  /// A client that may see only some agents has its own resources, and the same tools.
  private McpCatalog zooCatalog(Principal.ZooPrincipal visitor) {
    if (visitor.agents() == null) {
      return new ZooCatalog(
          zooTools, zooTools, cards, zooDescriptors, DefaultAgent.of(visitor, zoo));
    }
    AgentZoo seen = zoo.limitedTo(visitor.agents());
    return new ZooCatalog(
        ZooTools.of(seen, brain),
        zooTools,
        cards,
        new ZooResources(seen),
        DefaultAgent.of(visitor, seen));
  }

  @Override
  public void require(Principal principal, String claimed) {
    String key = principal.key() + " " + claimed;
    if (confirmed.contains(key)) {
      return;
    }
    boolean isSame =
        principal instanceof Principal.ZooPrincipal
            ? claimed.equals(Principal.ZOO_NAME)
            : claimed.startsWith(OF_AGENT)
                && agent(principal)
                    .filter(agent -> agent.isCalled(claimed.substring(OF_AGENT.length())))
                    .isPresent();
    if (!isSame) {
      throw ErrorCode.FORBIDDEN.fault(
          "the token belongs to %s, not to %s".formatted(words(principal), claimed),
          "start the client with a token of that agent: ./substrat token create --agent NAME");
    }
    if (confirmed.size() < MAX_CONFIRMED_AGENTS) {
      confirmed.add(key);
    }
  }

  private Optional<Agent> agent(Principal principal) {
    return database.read(tx -> AgentTree.find(tx, principal.key()));
  }

  private String words(Principal principal) {
    return agent(principal).map(agent -> "agent/" + agent.handle()).orElse(principal.key());
  }

  private McpCatalog catalog(McpCallers.ToolActor actor) {
    return new AgentCatalog(actor, cards, descriptors, scripts, tasks);
  }

  @Override
  public ChangeWatch watch(Principal principal) {
    ChangeWatch all = changes.watch(principal.key());
    return principal instanceof Principal.ZooPrincipal visitor && visitor.agents() != null
        ? new VisibleChanges(all, new ZooResources(zoo.limitedTo(visitor.agents())))
        : all;
  }

  @Override
  public String instructions(Principal principal) {
    return principal instanceof Principal.ZooPrincipal visitor
        ? ZooCatalog.instructions(DefaultAgent.of(visitor, zoo))
        : WorkingRules.forExternal();
  }

  @Override
  public void close() {
    changes.close();
  }

  /// Changes without those of agents that a zoo client may not see.
  private record VisibleChanges(ChangeWatch all, ZooResources zooCatalog) implements ChangeWatch {
    @Override
    public Set<CatalogChange> next(Duration longest) throws InterruptedException {
      return all.next(longest).stream()
          .filter(change ->
              !(change instanceof CatalogChange.ResourceChange(String uri)) || zooCatalog.has(uri))
          .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    @Override
    public void close() {
      all.close();
    }
  }

  /// People have no tools over MCP.
  private static final class EmptyCatalog implements McpCatalog {
    @Override
    public ToolDefinitionList tools() {
      return ToolDefinitionList.EMPTY;
    }

    @Override
    public McpOutcome call(String tool, ObjectNode arguments, ClientChannel contact) {
      throw ProtocolError.badParams("a person's token has no tools; use an agent's token");
    }
  }

  /// Handles answers and cancellations of clients.
  private record ClientTaskHandler(PendingCallCompletion answers)
      implements PendingTasks.TaskCompletionHandler {
    @Override
    public void require(PendingCall call, ObjectNode answers) {
      PendingCallCompletion.requireFrom(call, answers);
    }

    @Override
    public void answered(Tx tx, PendingCall call) {
      answers.answeredByClient(tx, call);
    }

    @Override
    public void cancelled(Tx tx, PendingCall call, @Nullable RunId run) {
      answers.cancelledByClient(tx, call, run);
    }

    @Override
    public void fetched(Tx tx, PendingCall call, @Nullable RunId run) {
      PendingCallCompletion.fetched(tx, call, run);
    }
  }
}
