package dev.substrat.team;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.SpellingSuggestion;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Queries on the tree of agents: lookup by id, handle or name; parents, children, siblings.
public final class AgentTree {
  /// More than the number of active agents; long configurations are rare.
  private static final int MOST = 1_000;

  private static final Map<String, AgentConfig> READ = new ConcurrentHashMap<>();
  private static final String SELECT =
      """
      select id, handle, name, role, parent_id, config, created_at, terminated_at,
        case when spawn_key is null and born_in_turn is null then 0 else 1 end as spawned
      from agent
      """;

  /// Parent, children and siblings of an agent.
  private static final String NEAR =
      """
       where terminated_at is null and id <> ?
         and (id = ? or parent_id = ? or parent_id = ?)
      """;

  private static final String ALIVE = "select id, handle, team_id, provider from agent";

  private static final String CALLED =
      "and (lower(name) = lower(?) or handle = ? or id = ?) order by id limit 1";

  private static final String ABOVE =
      """
      with recursive above (id, parent_id, level) as (
        select id, parent_id, 0 from agent where id = ?
        union all
        select agent.id, agent.parent_id, above.level + 1
        from agent join above on agent.id = above.parent_id
      )
      select id from above order by level
      """;

  private AgentTree() {}

  /// Agents that are not terminated, oldest first.
  public static List<Agent> list(Tx tx) {
    return tx.list(SELECT + " where terminated_at is null order by id", AgentTree::agent);
  }

  /// Agents after agent `after` ("" for all), oldest first; `everyone` includes terminated ones.
  public static List<Agent> list(Tx tx, String after, int limit, boolean everyone) {
    return tx.list(
        SELECT
            + " where id > ?"
            + (everyone ? "" : " and terminated_at is null")
            + " order by id limit ?",
        AgentTree::agent,
        after,
        limit);
  }

  /// The living agent with that id or handle; or with that name, if it is unique. Otherwise a fault
  /// that suggests others, so call it only for callers that may know them.
  public static Agent require(Tx tx, String typed) {
    return findLiving(tx, typed)
        .orElseThrow(() -> notFound(tx, typed, find(tx, typed).isPresent()));
  }

  /// The same, if there is one.
  public static Optional<Agent> findLiving(Tx tx, String typed) {
    Optional<Agent> known = find(tx, typed);
    return known.isPresent() ? known.filter(Agent::isAlive) : findByName(tx, typed);
  }

  private static Optional<Agent> findByName(Tx tx, String name) {
    List<Agent> namesakes =
        tx.list(
            SELECT + " where lower(name) = lower(?) and terminated_at is null limit 2",
            AgentTree::agent,
            name);
    return namesakes.size() == 1 ? Optional.of(namesakes.getFirst()) : Optional.empty();
  }

  private static Fault notFound(Tx tx, String typed, boolean hasEnded) {
    List<Agent> living = list(tx);
    List<String> meant =
        living.stream()
            .filter(agent -> agent.name().equalsIgnoreCase(typed))
            .map(Agent::handle)
            .limit(5)
            .toList();
    if (meant.isEmpty()) {
      meant =
          SpellingSuggestion.near(
              typed.toLowerCase(Locale.ROOT), living.stream().map(Agent::handle).toList());
    }
    return ErrorCode.AGENT_NOT_FOUND.fault(
        (hasEnded ? "agent \"%s\" is terminated" : "agent \"%s\" not found").formatted(typed),
        (meant.isEmpty() ? "" : "did you mean %s? ".formatted(String.join(" or ", meant)))
            + (hasEnded
                ? "list all agents with: substrat agent list --all (GET"
                    + " /api/agents?terminated=true)"
                : "list agents with: substrat agent list (GET /api/agents)"));
  }

  /// Also finds terminated agents. An id takes precedence over a handle, because agents name their
  /// children, and a name may equal another agent's id.
  public static Optional<Agent> find(Tx tx, String idOrHandle) {
    return tx.find(SELECT + " where id = ?", AgentTree::agent, idOrHandle)
        .or(() -> tx.find(SELECT + " where handle = ?", AgentTree::agent, idOrHandle));
  }

  /// Parent, children and siblings: everyone one hop away.
  public static List<Agent> reachable(Tx tx, Agent agent) {
    @Nullable String parent = agent.parent() == null ? null : agent.parent().value();
    String id = agent.id().value();
    return tx.list(SELECT + NEAR + "order by id", AgentTree::agent, id, parent, parent, id);
  }

  /// The first of them that is called so.
  public static Optional<Agent> findNear(Tx tx, Agent agent, String name) {
    @Nullable String parent = agent.parent() == null ? null : agent.parent().value();
    String id = agent.id().value();
    return tx.find(
            SELECT + NEAR + CALLED, AgentTree::agent, id, parent, parent, id, name, name, name)
        // SQLite ignores case in ASCII only.
        .or(() -> reachable(tx, agent).stream().filter(one -> one.isCalled(name)).findFirst());
  }

  /// A living agent, locked until the commit: a concurrent termination waits.
  public record Alive(AgentId id, String handle, String team, String provider) {}

  /// The neighbour that is called so, locked until the commit.
  public static Optional<Alive> findNearAlive(Tx tx, Agent agent, String name) {
    @Nullable String parent = agent.parent() == null ? null : agent.parent().value();
    String id = agent.id().value();
    return tx.find(
            ALIVE + NEAR + CALLED + locked(tx),
            AgentTree::alive,
            id,
            parent,
            parent,
            id,
            name,
            name,
            name)
        .or(() -> findNear(tx, agent, name).flatMap(near -> findAlive(tx, near.id())));
  }

  /// The agent, if it is alive, locked until the commit.
  public static Optional<Alive> findAlive(Tx tx, AgentId agent) {
    return tx.find(
        ALIVE + " where id = ? and terminated_at is null" + locked(tx),
        AgentTree::alive,
        agent.value());
  }

  public static boolean lockAlive(Tx tx, AgentId agent) {
    return findAlive(tx, agent).isPresent();
  }

  private static Alive alive(ResultRow row) {
    @Nullable String team = row.textOrNull("team_id");
    return new Alive(
        new AgentId(row.text("id")),
        row.text("handle"),
        team == null ? row.text("id") : team,
        row.text("provider"));
  }

  private static String locked(Tx tx) {
    return switch (tx.dialect()) {
      // There is only one writer, so reading is enough and writes no page.
      case SQLITE -> "";
      // Two agents that write to each other concurrently do not block each other: the lock
      // conflicts with that of a termination, not with the fence of a turn.
      case POSTGRES -> " for key share";
    };
  }

  /// Children of the same parent. Agents without a parent have none.
  public static List<Agent> siblings(Tx tx, Agent agent) {
    return agent.parent() == null
        ? List.of()
        : children(tx, agent.parent()).stream()
            .filter(other -> !other.id().equals(agent.id()))
            .toList();
  }

  public static List<Agent> children(Tx tx, AgentId parent) {
    return tx.list(
        SELECT + " where parent_id = ? and terminated_at is null order by id",
        AgentTree::agent,
        parent.value());
  }

  public static boolean hasChildren(Tx tx, AgentId parent) {
    return tx.find(
            "select 1 from agent where parent_id = ? and terminated_at is null limit 1",
            _ -> true,
            parent.value())
        .isPresent();
  }

  /// A child of `parent` by its name, handle or id.
  public static Agent requireChild(Tx tx, Agent parent, String name) {
    List<Agent> children = children(tx, parent.id());
    return children.stream()
        .filter(child -> child.isCalled(name))
        .findFirst()
        .orElseThrow(() ->
            ErrorCode.AGENT_NOT_FOUND.fault(
                "you have no child \"" + name + "\"",
                children.isEmpty()
                    ? "you have no children; create a child with spawn_agent"
                    : "your children: "
                        + String.join(", ", children.stream().map(Agent::name).toList())));
  }

  /// Number of ancestors.
  public static int depth(Tx tx, Agent agent) {
    return above(tx, agent.id()).size() - 1;
  }

  /// The root of its tree.
  public static Agent root(Tx tx, Agent agent) {
    return find(tx, above(tx, agent.id()).getLast().value()).orElseThrow();
  }

  /// The id of the tree it belongs to.
  public static String team(Tx tx, AgentId agent) {
    return tx.find(
            "select team_id from agent where id = ?", row -> row.text("team_id"), agent.value())
        .orElse(agent.value());
  }

  /// Number of living agents in its tree.
  public static int teamSize(Tx tx, Agent agent) {
    return (int)
        tx.number(
            """
            select count(*) as n from agent
            where team_id = (select team_id from agent where id = ?) and terminated_at is null
            """,
            agent.id().value());
  }

  /// The agent and everyone above it, up to the root.
  private static List<AgentId> above(Tx tx, AgentId agent) {
    return tx.list(ABOVE, row -> new AgentId(row.text("id")), agent.value());
  }

  /// Handles of agents with a running turn, on any daemon.
  public static List<String> runningHandles(Tx tx) {
    return tx.list(
        "select handle from agent where lease_until > " + tx.dialect().now() + " order by handle",
        row -> row.text("handle"));
  }

  private static Agent agent(ResultRow row) {
    @Nullable String parent = row.textOrNull("parent_id");
    return new Agent(
        new AgentId(row.text("id")),
        row.text("handle"),
        row.text("name"),
        row.text("role"),
        parent == null ? null : new AgentId(parent),
        parsed(row.text("config")),
        row.flag("spawned"),
        row.instant("created_at"),
        row.instantOrNull("terminated_at"));
  }

  /// Parsed configurations are cached by their text: they are immutable, and every tool call needs
  /// one.
  private static AgentConfig parsed(String text) {
    AgentConfig known = READ.get(text);
    if (known != null) {
      return known;
    }
    AgentConfig config = Json.as(Json.own(text), AgentConfig.class);
    if (READ.size() >= MOST) {
      // Entries in use are soon cached again; tracking use would cost more.
      READ.clear();
    }
    READ.put(text, config);
    return config;
  }
}
