package dev.substrat.toolset.team;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetCaps;
import dev.substrat.access.budget.BudgetKind;
import dev.substrat.access.budget.BudgetTable;
import dev.substrat.access.limit.AgentLimits;
import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.AgentStateTable;
import dev.substrat.team.AgentTree;
import dev.substrat.team.Agents;
import dev.substrat.team.ProviderConfig;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.TurnFence;
import dev.substrat.tool.execution.RepeatedCalls;
import dev.substrat.toolset.workspace.Workspaces;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Operations of an agent on its descendants: spawn, wake, pause, resume.
public final class ChildAgents {
  private final Database database;
  private final Agents agents;
  private final Workspaces workspaces;
  private final EventLog events;
  private final InstantSource clock;

  public ChildAgents(
      Database database,
      Agents agents,
      Workspaces workspaces,
      EventLog events,
      InstantSource clock) {
    this.database = database;
    this.agents = agents;
    this.workspaces = workspaces;
    this.events = events;
    this.clock = clock;
  }

  /// Parameters of a new child.
  public record SpawnRequest(
      String name,
      String instructions,
      @Nullable String role,
      @Nullable String workspaceSubdir,
      BudgetCaps budget) {}

  /// The child exists immediately; its first turn starts after this one.
  Agent spawn(ToolCall call, SpawnRequest request) {
    workspaces.requireFree(call.caller().agent(), request.workspaceSubdir());
    return database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      Optional<Agent> earlier = spawnedBefore(tx, key(call));
      return earlier.isPresent() ? earlier.get() : spawn(tx, call, request);
    });
  }

  private Agent spawn(Tx tx, ToolCall call, SpawnRequest request) {
    ToolCaller caller = call.caller();
    requireRoom(tx, caller.agent());
    requireLeft(tx, caller.agent(), request.budget());
    Long turn = caller.isExternal() ? null : caller.turn();
    Agent child =
        agents.create(
            tx,
            inherit(caller.agent(), request),
            new Agents.AgentOrigin(turn, key(call), request.workspaceSubdir()));
    var chain = RunInputEvents.chain(tx, caller);
    var payload =
        Json.object()
            .put("kind", InboxEvent.InboxEventKind.START.toString())
            .put("from", caller.agent().name())
            .put("text", request.instructions())
            .put("depth", chain.depth() + 1);
    put(tx, child, InboxEvent.InboxEventKind.START, payload);
    return child;
  }

  private static AgentConfig inherit(Agent parent, SpawnRequest request) {
    AgentConfig config = parent.config();
    return new AgentConfig(
            request.name(),
            null,
            null,
            request.instructions(),
            request.role(),
            settings(config, request),
            config.toolsets(),
            null,
            narrowed(config.limitsOrDefault(), request.budget()),
            parent.id().value())
        .withWorkspace(config.workspace() == null ? null : config.workspace().inherited());
  }

  /// A configured directory is shared by the parent and the agents it spawns; but a worktree is
  /// checked out in another place, and subdirectories belong to a workspace. A script without a
  /// workspace always works in its directory.
  private static @Nullable ProviderConfig settings(AgentConfig parent, SpawnRequest request) {
    ProviderConfig settings = parent.provider();
    boolean isScript =
        settings != null
            && settings.name().equals(ProviderConfig.SCRIPTED)
            && parent.workspace() == null;
    if (settings == null || settings.directory() == null || isScript) {
      return settings;
    }
    if (parent.workspaceOrDefault().isWorktree()) {
      return settings.withoutDirectory();
    }
    if (request.workspaceSubdir() != null) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/workspace_subdir is not supported here: you work in provider.directory",
          "omit the argument; the child works in the same directory");
    }
    return settings;
  }

  private static AgentLimits narrowed(AgentLimits limits, BudgetCaps budget) {
    return limits.withBudgets(budget.usd(), budget.tokens(), budget.turns(), budget.seconds());
  }

  /// A child's budget cannot exceed what its parent has left.
  private static void requireLeft(Tx tx, Agent parent, BudgetCaps wanted) {
    Map<BudgetKind, Long> amounts = wanted.amounts();
    if (amounts.isEmpty()) {
      return;
    }
    for (Budget budget : BudgetTable.above(tx, parent.id())) {
      Long amount = amounts.get(budget.kind());
      if (amount != null && amount > budget.left()) {
        throw limit(
            "/budget_%s is more than the %s %s you have left"
                .formatted(budget.kind(), budget.kind().value(budget.left()), budget.kind().unit()),
            "set a smaller value, or omit the argument to share your budget");
      }
    }
  }

  /// Idempotency key of the spawn, unique per caller. It also marks the agent as spawned, so it is
  /// never empty: without a key of the caller, the id of the call is used.
  private static String key(ToolCall call) {
    String own = call.idempotencyKey();
    return call.caller().agent().id() + "/" + (own == null ? "call " + call.id() : own);
  }

  private static Optional<Agent> spawnedBefore(Tx tx, String key) {
    return tx.find("select id from agent where spawn_key = ?", row -> row.text("id"), key)
        .flatMap(id -> AgentTree.find(tx, id));
  }

  /// False if the agent has no children and its limits forbid any.
  boolean areHadOrAllowed(Agent agent) {
    AgentLimits limits = agent.config().limitsOrDefault();
    return database.readByKey(tx ->
        (limits.children() > 0 && AgentTree.depth(tx, agent) < limits.depth())
            || AgentTree.hasChildren(tx, agent.id()));
  }

  private static void requireRoom(Tx tx, Agent parent) {
    AgentLimits limits = parent.config().limitsOrDefault();
    if (AgentTree.children(tx, parent.id()).size() >= limits.children()) {
      throw limit(
          "you have reached the maximum of " + limits.children() + " children",
          "terminate a child first");
    }
    if (AgentTree.depth(tx, parent) + 1 > limits.depth()) {
      throw limit(
          "the team has reached the maximum depth of " + limits.depth(), "do the work yourself");
    }
    Agent root = AgentTree.root(tx, parent);
    // Others of the team may spawn at this moment: one after the other.
    AgentStateTable.lock(tx, root.id());
    int most = Math.min(limits.agents(), root.config().limitsOrDefault().agents());
    if (AgentTree.teamSize(tx, parent) >= most) {
      throw limit(
          "the team has reached the maximum of " + most + " agents", "terminate agents first");
    }
  }

  private static Fault limit(String message, String hint) {
    return ErrorCode.LIMIT_REACHED.fault(message, hint);
  }

  /// Pauses a child: messages wait and no turn starts until it is ungated or permitted one.
  void gate(ToolCall call, String name, boolean gated) {
    within(
        call,
        (gated ? "gate " : "ungate ") + name,
        tx -> {
          Agent child = AgentTree.requireChild(tx, call.caller().agent(), name);
          AgentSteering.gate(tx, events, child, gated);
        });
  }

  /// Lets a gated child take one turn.
  void permitTurn(ToolCall call, String name) {
    within(
        call,
        "permit " + name,
        tx -> {
          Agent child = AgentTree.requireChild(tx, call.caller().agent(), name);
          AgentStateTable.addPermit(tx, child.id());
          events.append(
              tx,
              NewEvent.of("turn_permitted")
                  .about(child.id().value())
                  .with("agent", child.handle()));
        });
  }

  void terminate(ToolCall call, String name) {
    within(
        call,
        "terminate " + name,
        tx -> agents.terminate(tx, AgentTree.requireChild(tx, call.caller().agent(), name)));
  }

  private static void put(Tx tx, Agent agent, InboxEvent.InboxEventKind kind, ObjectNode payload) {
    var event = new InboxEvent(MessageId.random().value(), kind, null, payload, 0, false);
    Inbox.put(tx, agent.id(), event, false);
  }

  private void within(ToolCall call, String what, ChildUpdate change) {
    database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      if (RepeatedCalls.isFirst(tx, call, what, clock.instant())) {
        change.in(tx);
      }
      return true;
    });
  }

  private interface ChildUpdate {
    void in(Tx tx);
  }
}
