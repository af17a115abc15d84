package dev.substrat.team;

import dev.substrat.access.budget.BudgetCaps;
import dev.substrat.access.budget.BudgetTable;
import dev.substrat.access.credential.Credentials;
import dev.substrat.access.person.HandleRegistry;
import dev.substrat.access.person.LookAlikeNameCheck;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Handle;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Agents come and go.
public final class Agents {
  private static final String INSERT =
      """
      insert into agent
        (id, handle, name, description, parent_id, role, config, created_at, provider,
         born_in_turn, spawn_key, workspace_subdir, name_skeleton, team_id)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        coalesce((select team_id from agent where id = ?), ?))
      on conflict do nothing
      """;

  /// More agents with the same name are a mistake.
  private static final int MAX_EQUAL_NAMES = 10_000;

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;
  private final TerminationHook farewell;

  public Agents(Database database, EventLog events, InstantSource clock, TerminationHook farewell) {
    this.database = database;
    this.events = events;
    this.clock = clock;
    this.farewell = farewell;
  }

  /// Settles what an agent leaves behind. This package owns the moment; `message` knows what to do.
  @FunctionalInterface
  public interface TerminationHook {
    void to(Tx tx, AgentId agent);

    /// The agent got another configuration: failed work may succeed now.
    default void toWhatItWas(Tx tx, AgentId agent) {}
  }

  /// Origin of an agent: created by a person, or in a parent's turn.
  public record AgentOrigin(
      @Nullable Long turn, @Nullable String key, @Nullable String workspaceSubdir) {
    static final AgentOrigin BY_A_PERSON = new AgentOrigin(null, null, null);
  }

  public Agent create(AgentConfig config) {
    return database.transact(tx -> create(tx, config));
  }

  /// Creates the agent a person wants.
  public Agent create(Tx tx, AgentConfig config) {
    return create(tx, config, AgentOrigin.BY_A_PERSON);
  }

  /// Creates an agent as part of something larger.
  public Agent create(Tx tx, AgentConfig config, AgentOrigin origin) {
    AgentRules.require(config);
    Agent parent = config.parent() == null ? null : holdAlive(tx, config.parent());
    fillNameSkeletons(tx);
    LookAlikeNameCheck.requireAgentName(tx, config.name(), null);
    if (config.handle() != null) {
      LookAlikeNameCheck.requireAgentHandle(tx, config.handle(), null);
    }
    if (parent != null && hasChild(tx, parent.id(), config.name())) {
      throw nameTaken(config.name());
    }
    var fresh = new NewAgent(AgentId.random(), parent == null ? null : parent.id(), config, origin);
    String handle =
        config.handle() == null ? insertSuffixed(tx, fresh) : insertAs(tx, fresh, config.handle());
    BudgetTable.set(tx, fresh.id(), BudgetCaps.of(config.limitsOrDefault()));
    AgentVersions.first(
        tx, fresh.id(), config, origin.key() == null ? null : parent, clock.instant());
    events.append(
        tx,
        NewEvent.of("agent_created")
            .about(fresh.id().value())
            .with("agent", handle)
            .with("name", config.name())
            .with("handle", handle)
            .with("parent", parent == null ? null : parent.handle()));
    return AgentTree.find(tx, fresh.id().value()).orElseThrow();
  }

  /// The agent, locked against termination and changes until this transaction ends.
  public static Agent holdAlive(Tx tx, String idOrHandle) {
    String id = AgentTree.require(tx, idOrHandle).id().value();
    tx.update("update agent set turn_no = turn_no where id = ?", id);
    return AgentTree.require(tx, id);
  }

  private record NewAgent(
      AgentId id, @Nullable AgentId parent, AgentConfig config, AgentOrigin origin) {}

  private String insertAs(Tx tx, NewAgent fresh, String handle) {
    if (insert(tx, fresh, handle) == 0) {
      throw handleTaken(tx, handle);
    }
    return handle;
  }

  private static Fault handleTaken(Tx tx, String handle) {
    Optional<Agent> holder = AgentTree.find(tx, handle);
    boolean hasEnded = holder.isPresent() && !holder.get().isAlive();
    return ErrorCode.NAME_TAKEN.fault(
        "the handle "
            + handle
            + (hasEnded ? " belonged to an agent that was terminated" : " is taken"),
        hasEnded
            ? "records still contain the old handle; omit the handle, or use %s, which is free"
                .formatted(HandleRegistry.nextFree(tx, handle))
            : "omit the handle, or choose another handle");
  }

  private String insertSuffixed(Tx tx, NewAgent fresh) {
    String wanted = Handle.of(fresh.config().name());
    String handle = wanted;
    for (int suffix = 2; insert(tx, fresh, handle) == 0; suffix++) {
      if (suffix > MAX_EQUAL_NAMES) {
        throw ErrorCode.NAME_TAKEN.fault(
            "too many agents have the name " + wanted, "choose another name");
      }
      if (fresh.parent() != null && hasChild(tx, fresh.parent(), fresh.config().name())) {
        throw nameTaken(fresh.config().name());
      }
      handle = wanted + "-" + suffix;
    }
    return handle;
  }

  private int insert(Tx tx, NewAgent fresh, String handle) {
    AgentConfig config = fresh.config();
    if (!HandleRegistry.claim(tx, handle)) {
      return 0;
    }
    return tx.update(
        INSERT,
        fresh.id().value(),
        handle,
        config.name(),
        config.description() == null ? "" : config.description(),
        fresh.parent() == null ? null : fresh.parent().value(),
        config.role() == null ? "worker" : config.role(),
        Json.text(config),
        clock.instant(),
        config.provider() == null ? "scripted" : config.provider().name(),
        fresh.origin().turn(),
        fresh.origin().key(),
        fresh.origin().workspaceSubdir(),
        LookAlikeNameCheck.key(config.name()),
        fresh.parent() == null ? null : fresh.parent().value(),
        fresh.id().value());
  }

  private static boolean hasChild(Tx tx, AgentId parent, String name) {
    return tx.number(
            """
            select count(*) as n from agent
            where parent_id = ? and lower(name) = lower(?) and terminated_at is null
            """,
            parent.value(),
            name)
        > 0;
  }

  private static Fault nameTaken(String name) {
    return ErrorCode.NAME_TAKEN.fault(
        "the parent already has a child named " + name,
        "siblings need different names: choose another name, or terminate the other agent");
  }

  /// Result of an update: the agent and the changed keys.
  public record AgentUpdateResult(Agent agent, List<String> changed) {}

  /// Replaces the configuration of an agent. Its parent stays, and its handle if none is given. A
  /// running turn continues with the old configuration.
  public AgentUpdateResult update(Tx tx, String idOrHandle, AgentConfig config) {
    AgentRules.require(config);
    Agent agent = holdAlive(tx, idOrHandle);
    AgentConfig before = AgentDeclaration.of(tx, agent);
    AgentConfig after = AgentDeclaration.completed(tx, agent, config);
    List<String> changed = AgentDeclaration.difference(before, after);
    if (changed.isEmpty()) {
      return new AgentUpdateResult(agent, changed);
    }
    claimNames(tx, agent, after);
    write(tx, agent, after);
    AgentVersions.next(tx, agent, before, after, clock.instant());
    farewell.toWhatItWas(tx, agent.id());
    if (changed.contains("limits")) {
      BudgetTable.replace(
          tx,
          agent.id(),
          BudgetCaps.of(before.limitsOrDefault()),
          BudgetCaps.of(after.limitsOrDefault()));
    }
    events.append(
        tx,
        NewEvent.of("agent_updated")
            .about(agent.id().value())
            .with("agent", after.handle())
            .with("changed", changed));
    return new AgentUpdateResult(AgentTree.require(tx, agent.id().value()), changed);
  }

  /// Adds the skeletons that rows of earlier versions lack.
  private static void fillNameSkeletons(Tx tx) {
    tx.list(
            "select id, name from agent where name_skeleton is null and terminated_at is null",
            row -> Map.entry(row.text("id"), row.text("name")))
        .forEach(agent ->
            tx.update(
                "update agent set name_skeleton = ? where id = ?",
                LookAlikeNameCheck.key(agent.getValue()),
                agent.getKey()));
  }

  private static void claimNames(Tx tx, Agent agent, AgentConfig after) {
    fillNameSkeletons(tx);
    boolean isRenamed = !after.name().equalsIgnoreCase(agent.name());
    if (isRenamed) {
      LookAlikeNameCheck.requireAgentName(tx, after.name(), agent.id().value());
    }
    if (isRenamed && agent.parent() != null && hasChild(tx, agent.parent(), after.name())) {
      throw nameTaken(after.name());
    }
    String handle = after.handle();
    if (handle != null && !handle.equals(agent.handle())) {
      LookAlikeNameCheck.requireAgentHandle(tx, handle, agent.id().value());
      if (!HandleRegistry.claim(tx, handle)) {
        throw handleTaken(tx, handle);
      }
      HandleRegistry.release(tx, agent.handle());
    }
  }

  private static void write(Tx tx, Agent agent, AgentConfig config) {
    tx.update(
        """
        update agent set handle = ?, name = ?, description = ?, role = ?, config = ?, provider = ?,
          name_skeleton = ?
        where id = ?
        """,
        config.handle(),
        config.name(),
        config.description() == null ? "" : config.description(),
        config.role() == null ? "worker" : config.role(),
        Json.text(config),
        config.provider() == null ? "scripted" : config.provider().name(),
        LookAlikeNameCheck.key(config.name()),
        agent.id().value());
  }

  /// Ends an agent and everyone below it: no turns, no mail, no valid token from now on.
  public void terminate(String idOrHandle) {
    database.transact(tx -> {
      terminate(tx, AgentTree.require(tx, idOrHandle));
      return true;
    });
  }

  /// From the top: a terminated parent gets no more children.
  public void terminate(Tx tx, Agent root) {
    end(tx, root);
    AgentTree.children(tx, root.id()).forEach(child -> terminate(tx, child));
  }

  private void end(Tx tx, Agent agent) {
    if (tx.dialect() == Dialect.POSTGRES) {
      // Waits for transactions that have locked it: [AgentTree#holdAlive].
      tx.find("select 1 from agent where id = ? for update", _ -> true, agent.id().value());
    }
    int ended =
        tx.update(
            """
            update agent set terminated_at = ?, lease_owner = null, lease_until = null
            where id = ? and terminated_at is null
            """,
            clock.instant(),
            agent.id().value());
    if (ended == 1) {
      Credentials.revokeAll(tx, new Principal.AgentPrincipal(agent.id()), clock.instant());
      farewell.to(tx, agent.id());
      events.append(
          tx,
          NewEvent.of("agent_terminated").about(agent.id().value()).with("agent", agent.handle()));
    }
  }

  /// Includes terminated agents.
  public Optional<Agent> find(String idOrHandle) {
    return database.read(tx -> AgentTree.find(tx, idOrHandle));
  }

  public Agent require(String idOrHandle) {
    return database.read(tx -> AgentTree.require(tx, idOrHandle));
  }
}
