package dev.substrat.team;

import dev.substrat.credential.Credentials;
import dev.substrat.event.EventLog;
import dev.substrat.event.NewEvent;
import dev.substrat.fault.Fault;
import dev.substrat.id.AgentId;
import dev.substrat.id.Principal;
import dev.substrat.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Agents come and go.
public final class Agents {
  private static final String INSERT =
      """
      insert into agent
        (id, handle, name, description, parent_id, role, config, created_at, provider,
         born_in_turn, spawn_key, workspace_subdir)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict do nothing
      """;

  /// More agents of one name than this are a mistake.
  private static final int MOST_OF_A_NAME = 10_000;

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;
  private final Farewell farewell;

  public Agents(Database database, EventLog events, InstantSource clock, Farewell farewell) {
    this.database = database;
    this.events = events;
    this.clock = clock;
    this.farewell = farewell;
  }

  /// Settles what an agent leaves behind. This package owns the moment; `message` knows what to do.
  @FunctionalInterface
  public interface Farewell {
    void to(Tx tx, AgentId agent);
  }

  /// How an agent came to be: by a person, or in a parent's turn.
  public record Birth(@Nullable Long turn, @Nullable String key, @Nullable String workspaceSubdir) {
    static final Birth BY_A_PERSON = new Birth(null, null, null);
  }

  public Agent create(AgentConfig config) {
    return database.transact(tx -> create(tx, config, Birth.BY_A_PERSON));
  }

  /// Creates an agent as part of something larger.
  public Agent create(Tx tx, AgentConfig config, Birth birth) {
    AgentRules.require(config);
    AgentId parent = config.parent() == null ? null : holdAlive(tx, config.parent());
    if (parent != null && hasChild(tx, parent, config.name())) {
      throw nameTaken(config.name());
    }
    var fresh = new Fresh(AgentId.random(), parent, config, birth);
    String handle =
        config.handle() == null
            ? insertSuffixed(tx, fresh)
            : insertAs(tx, fresh, Handle.require(config.handle()));
    events.append(
        tx,
        NewEvent.of("agent_created")
            .about(fresh.id().value())
            .with("agent", handle)
            .with("name", config.name())
            .with("handle", handle)
            .with("parent", config.parent()));
    return Tree.find(tx, fresh.id().value()).orElseThrow();
  }

  /// The parent, which nobody can end before the child is there.
  private static AgentId holdAlive(Tx tx, String parent) {
    AgentId id = Tree.require(tx, parent).id();
    tx.update("update agent set turn_no = turn_no where id = ?", id.value());
    return Tree.require(tx, id.value()).id();
  }

  private record Fresh(AgentId id, @Nullable AgentId parent, AgentConfig config, Birth birth) {}

  private String insertAs(Tx tx, Fresh fresh, String handle) {
    if (insert(tx, fresh, handle) == 0) {
      throw new Fault(
          ErrorCode.NAME_TAKEN,
          "the handle " + handle + " is taken",
          "leave it out or choose another");
    }
    return handle;
  }

  private String insertSuffixed(Tx tx, Fresh fresh) {
    String wanted = Handle.of(fresh.config().name());
    String handle = wanted;
    for (int suffix = 2; insert(tx, fresh, handle) == 0; suffix++) {
      if (suffix > MOST_OF_A_NAME) {
        throw new Fault(
            ErrorCode.NAME_TAKEN, "too many are called " + wanted, "choose another name");
      }
      if (fresh.parent() != null && hasChild(tx, fresh.parent(), fresh.config().name())) {
        throw nameTaken(fresh.config().name());
      }
      handle = wanted + "-" + suffix;
    }
    return handle;
  }

  private int insert(Tx tx, Fresh fresh, String handle) {
    AgentConfig config = fresh.config();
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
        fresh.birth().turn(),
        fresh.birth().key(),
        fresh.birth().workspaceSubdir());
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
    return new Fault(
        ErrorCode.NAME_TAKEN,
        "there is already a " + name + " under that parent",
        "names are addresses: choose another, or terminate the old one");
  }

  /// Ends an agent and everyone below it: no turns, no mail, no valid token from now on.
  public void terminate(String idOrHandle) {
    database.transact(tx -> {
      terminate(tx, Tree.require(tx, idOrHandle));
      return true;
    });
  }

  /// From the top: once a parent has ended it gets no more children.
  public void terminate(Tx tx, Agent root) {
    end(tx, root);
    Tree.children(tx, root.id()).forEach(child -> terminate(tx, child));
  }

  private void end(Tx tx, Agent agent) {
    int ended =
        tx.update(
            """
            update agent set terminated_at = ?, lease_owner = null, lease_until = null
            where id = ? and terminated_at is null
            """,
            clock.instant(),
            agent.id().value());
    if (ended == 1) {
      Credentials.revokeAll(tx, new Principal.OfAgent(agent.id()), clock.instant());
      farewell.to(tx, agent.id());
      events.append(
          tx,
          NewEvent.of("agent_terminated").about(agent.id().value()).with("agent", agent.handle()));
    }
  }

  /// Also one that has ended.
  public Optional<Agent> find(String idOrHandle) {
    return database.read(tx -> Tree.find(tx, idOrHandle));
  }

  public Agent require(String idOrHandle) {
    return database.read(tx -> Tree.require(tx, idOrHandle));
  }
}
