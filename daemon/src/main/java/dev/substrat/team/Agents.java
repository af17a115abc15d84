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
import dev.substrat.store.Row;
import dev.substrat.store.Tx;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The agents of this daemon's database and the tree they form.
public final class Agents {
  private static final String COLUMNS =
      "id, handle, name, role, parent_id, config, created_at, terminated_at";

  private static final String INSERT =
      """
      insert into agent (id, handle, name, description, parent_id, role, config, created_at)
      values (?, ?, ?, ?, ?, ?, ?, ?)
      on conflict do nothing
      """;

  private static final String REACHABLE =
      "select "
          + COLUMNS
          + """
           from agent
          where terminated_at is null
            and id <> ?
            and (id = ? or parent_id = ? or parent_id = ?)
          order by id
          """;

  private static final String SUBTREE =
      """
      with recursive below (id) as (
        select id from agent where id = ?
        union all
        select agent.id from agent join below on agent.parent_id = below.id
      )
      select id from below
      """;

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  public Agents(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  public Agent create(AgentConfig config) {
    AgentRules.require(config);
    return database.transact(tx -> create(tx, config));
  }

  private Agent create(Tx tx, AgentConfig config) {
    AgentId parent = config.parent() == null ? null : require(tx, config.parent()).id();
    if (parent != null && hasChild(tx, parent, config.name())) {
      throw nameTaken(config.name());
    }
    var id = AgentId.random();
    String handle =
        config.handle() == null
            ? insertSuffixed(tx, id, parent, config)
            : insertAs(tx, id, parent, config, Handle.require(config.handle()));
    events.append(
        tx,
        NewEvent.of("agent_created")
            .about(id.value())
            .with("agent", handle)
            .with("name", config.name())
            .with("handle", handle)
            .with("parent", config.parent()));
    return find(tx, id.value()).orElseThrow();
  }

  private String insertAs(
      Tx tx, AgentId id, @Nullable AgentId parent, AgentConfig config, String handle) {
    if (insert(tx, id, parent, config, handle) == 0) {
      throw new Fault(
          ErrorCode.NAME_TAKEN,
          "the handle " + handle + " is taken",
          "leave it out or choose another");
    }
    return handle;
  }

  private String insertSuffixed(Tx tx, AgentId id, @Nullable AgentId parent, AgentConfig config) {
    String wanted = Handle.of(config.name());
    String handle = wanted;
    for (int suffix = 2; insert(tx, id, parent, config, handle) == 0; suffix++) {
      if (parent != null && hasChild(tx, parent, config.name())) {
        throw nameTaken(config.name());
      }
      handle = wanted + "-" + suffix;
    }
    return handle;
  }

  private int insert(
      Tx tx, AgentId id, @Nullable AgentId parent, AgentConfig config, String handle) {
    return tx.update(
        INSERT,
        id.value(),
        handle,
        config.name(),
        config.description() == null ? "" : config.description(),
        parent == null ? null : parent.value(),
        config.role() == null ? "worker" : config.role(),
        Json.text(config),
        clock.instant());
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
      Agent root = require(tx, idOrHandle);
      for (String id : tx.list(SUBTREE, row -> row.text("id"), root.id().value())) {
        find(tx, id).ifPresent(agent -> end(tx, agent));
      }
      return true;
    });
  }

  private void end(Tx tx, Agent agent) {
    int ended =
        tx.update(
            "update agent set terminated_at = ? where id = ? and terminated_at is null",
            clock.instant(),
            agent.id().value());
    if (ended == 1) {
      Credentials.revokeAll(tx, new Principal.OfAgent(agent.id()), clock.instant());
      events.append(
          tx,
          NewEvent.of("agent_terminated").about(agent.id().value()).with("agent", agent.handle()));
    }
  }

  /// All that live, oldest first.
  public static List<Agent> list(Tx tx) {
    return tx.list(
        "select " + COLUMNS + " from agent where terminated_at is null order by id", Agents::agent);
  }

  /// Handles of those whose turn is under way, on any daemon.
  public static List<String> atWork(Tx tx) {
    return tx.list(
        "select handle from agent where lease_until > " + tx.dialect().now() + " order by handle",
        row -> row.text("handle"));
  }

  public Agent require(String idOrHandle) {
    return database.read(tx -> require(tx, idOrHandle));
  }

  /// The living agent of that id or handle.
  public static Agent require(Tx tx, String idOrHandle) {
    return find(tx, idOrHandle)
        .filter(Agent::isAlive)
        .orElseThrow(() ->
            new Fault(
                ErrorCode.AGENT_NOT_FOUND,
                "there is no agent " + idOrHandle,
                "see who there is: ./substrat agent list, GET /api/agents"));
  }

  /// Also finds those that have been terminated, for the record.
  public static Optional<Agent> find(Tx tx, String idOrHandle) {
    return tx.find(
        "select " + COLUMNS + " from agent where id = ? or handle = ?",
        Agents::agent,
        idOrHandle,
        idOrHandle);
  }

  /// Parent, children and siblings: everyone one hop away.
  public static List<Agent> reachable(Tx tx, Agent agent) {
    @Nullable String parent = agent.parent() == null ? null : agent.parent().value();
    String id = agent.id().value();
    return tx.list(REACHABLE, Agents::agent, id, parent, parent, id);
  }

  private static Agent agent(Row row) {
    @Nullable String parent = row.textOrNull("parent_id");
    return new Agent(
        new AgentId(row.text("id")),
        row.text("handle"),
        row.text("name"),
        row.text("role"),
        parent == null ? null : new AgentId(parent),
        Json.as(Json.own(row.text("config")), AgentConfig.class),
        row.instant("created_at"),
        row.instantOrNull("terminated_at"));
  }
}
