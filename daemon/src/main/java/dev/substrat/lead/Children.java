package dev.substrat.lead;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.event.EventLog;
import dev.substrat.event.NewEvent;
import dev.substrat.fault.Fault;
import dev.substrat.id.MessageId;
import dev.substrat.inbox.Inbox;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.json.Json;
import dev.substrat.limit.Limits;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Agents;
import dev.substrat.team.Tree;
import dev.substrat.tool.Call;
import dev.substrat.tool.Caller;
import dev.substrat.tool.Fence;
import dev.substrat.tool.Repeats;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What an agent does with those below it: make them, wake them, pause them.
public final class Children {
  /// How many agents one root may have below it, however they are arranged.
  private static final int LARGEST_TEAM = 256;

  private final Database database;
  private final Agents agents;
  private final EventLog events;
  private final InstantSource clock;

  public Children(Database database, Agents agents, EventLog events, InstantSource clock) {
    this.database = database;
    this.agents = agents;
    this.events = events;
    this.clock = clock;
  }

  /// What a parent says about a child it wants.
  public record Wish(
      String name, String instructions, @Nullable String role, @Nullable String workspaceSubdir) {}

  /// The node exists at once; its first turn comes after this one, with its mail or its
  /// instructions.
  Agent spawn(Call call, Wish wish) {
    requireInside(wish.workspaceSubdir());
    return database.transact(tx -> {
      Fence.require(tx, call.caller());
      Optional<Agent> earlier = spawnedBefore(tx, key(call));
      return earlier.isPresent() ? earlier.get() : spawn(tx, call, wish);
    });
  }

  private Agent spawn(Tx tx, Call call, Wish wish) {
    Caller caller = call.caller();
    requireRoom(tx, caller.agent());
    Long turn = caller.isExternal() ? null : caller.turn();
    Agent child =
        agents.create(
            tx,
            inherit(caller.agent(), wish),
            new Agents.Birth(turn, key(call), wish.workspaceSubdir()));
    var payload =
        Json.object()
            .put("kind", InboxEvent.Kind.START.toString())
            .put("from", caller.agent().name())
            .put("text", wish.instructions())
            .put("depth", caller.depth() + 1);
    put(tx, child, InboxEvent.Kind.START, payload);
    return child;
  }

  private static AgentConfig inherit(Agent parent, Wish wish) {
    AgentConfig config = parent.config();
    return new AgentConfig(
        wish.name(),
        null,
        null,
        wish.instructions(),
        wish.role(),
        config.provider(),
        config.toolsets(),
        config.limits(),
        parent.id().value());
  }

  /// A key belongs to the one who uses it.
  private static @Nullable String key(Call call) {
    return call.idempotencyKey() == null
        ? null
        : call.caller().agent().id() + "/" + call.idempotencyKey();
  }

  private static Optional<Agent> spawnedBefore(Tx tx, @Nullable String key) {
    return key == null
        ? Optional.empty()
        : tx.find("select id from agent where spawn_key = ?", row -> row.text("id"), key)
            .flatMap(id -> Tree.find(tx, id));
  }

  private static void requireRoom(Tx tx, Agent parent) {
    Limits limits = parent.config().limitsOrDefault();
    if (Tree.children(tx, parent.id()).size() >= limits.children()) {
      throw limit("you have " + limits.children() + " children already", "terminate one first");
    }
    if (Tree.depth(tx, parent) + 1 > limits.depth()) {
      throw limit("the team is " + limits.depth() + " levels deep already", "do it yourself");
    }
    if (Tree.teamSize(tx, parent) >= LARGEST_TEAM) {
      throw limit("the team has " + LARGEST_TEAM + " agents already", "terminate some first");
    }
  }

  private static Fault limit(String message, String hint) {
    return new Fault(ErrorCode.LIMIT_REACHED, message, hint);
  }

  /// A sub-directory stays inside the parent's workspace.
  private static void requireInside(@Nullable String subdir) {
    if (subdir == null) {
      return;
    }
    boolean escapes =
        subdir.isBlank()
            || subdir.startsWith("/")
            || subdir.contains("\\")
            || List.of(subdir.split("/")).contains("..");
    if (escapes) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "/workspace_subdir must be a relative path inside your workspace",
          "for example \"frontend\" or \"services/api\"");
    }
  }

  /// Pauses a child: mail waits, no turns start, until it is ungated or permitted one.
  void gate(Call call, String name, boolean gated) {
    within(
        call,
        (gated ? "gate " : "ungate ") + name,
        tx -> {
          Agent child = Tree.requireChild(tx, call.caller().agent(), name);
          tx.update(
              "update agent set gated = ?, permits = 0 where id = ?", gated, child.id().value());
          events.append(
              tx,
              NewEvent.of(gated ? "agent_gated" : "agent_ungated")
                  .about(child.id().value())
                  .with("agent", child.handle()));
        });
  }

  /// Lets a gated child take one turn.
  void permitTurn(Call call, String name) {
    within(
        call,
        "permit " + name,
        tx -> {
          Agent child = Tree.requireChild(tx, call.caller().agent(), name);
          tx.update("update agent set permits = permits + 1 where id = ?", child.id().value());
          events.append(
              tx,
              NewEvent.of("turn_permitted")
                  .about(child.id().value())
                  .with("agent", child.handle()));
        });
  }

  void terminate(Call call, String name) {
    within(
        call,
        "terminate " + name,
        tx -> agents.terminate(tx, Tree.requireChild(tx, call.caller().agent(), name)));
  }

  private static void put(Tx tx, Agent agent, InboxEvent.Kind kind, ObjectNode payload) {
    var event = new InboxEvent(MessageId.random().value(), kind, null, payload, 0, false);
    Inbox.put(tx, agent.id(), event, false);
  }

  private void within(Call call, String what, Change change) {
    database.transact(tx -> {
      Fence.require(tx, call.caller());
      if (Repeats.isFirst(tx, call, what, clock.instant())) {
        change.in(tx);
      }
      return true;
    });
  }

  private interface Change {
    void in(Tx tx);
  }
}
