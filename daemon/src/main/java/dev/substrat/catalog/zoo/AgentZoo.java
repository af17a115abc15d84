package dev.substrat.catalog.zoo;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Read-only catalog of agents for zoo clients. It reads the current configuration, so a change is
/// visible with the next call.
public final class AgentZoo {
  private final Database database;
  private final @Nullable Set<AgentId> only;

  public AgentZoo(Database database) {
    this(database, null);
  }

  private AgentZoo(Database database, @Nullable Set<AgentId> only) {
    this.database = database;
    this.only = only;
  }

  /// The same zoo for a client that may see these agents only; others do not exist for it.
  public AgentZoo limitedTo(List<AgentId> agents) {
    return new AgentZoo(database, Set.copyOf(agents));
  }

  private boolean isVisible(Agent agent) {
    return only == null || only.contains(agent.id());
  }

  /// All agents.
  record AgentNameList(List<AgentName> agents) {}

  /// An agent, by the id that the other tools accept.
  record AgentName(String id, String name) {}

  AgentNameList list() {
    return new AgentNameList(
        all().stream().map(agent -> new AgentName(agent.handle(), agent.name())).toList());
  }

  /// All agents, oldest first.
  public List<Agent> all() {
    return database.read(AgentTree::list).stream().filter(this::isVisible).toList();
  }

  /// Includes terminated agents: a client may still refer to one.
  public Optional<Agent> find(String id) {
    return database.read(tx -> AgentTree.find(tx, id)).filter(this::isVisible);
  }

  /// The compiled prompt of the agent.
  public static String prompt(Agent agent) {
    return AgentInjection.compiled(agent).prompt();
  }

  /// An unknown agent is reported before an unknown format.
  Record inject(String id, String format) {
    Agent agent = database.read(tx -> require(tx, id));
    return switch (format) {
      case "compiled" -> AgentInjection.compiled(agent);
      case "structured" -> AgentInjection.structured(agent);
      default ->
          throw ErrorCode.INVALID_FORMAT.fault(
              "Unknown format '%s'.".formatted(format), "use compiled (the default) or structured");
    };
  }

  /// The prompt that a zoo client would get for this configuration, stored or not.
  public AgentInjection.CompiledPrompt compiled(Agent agent) {
    return AgentInjection.compiled(agent);
  }

  ZooAgent show(String id) {
    return database.read(tx -> {
      Agent agent = require(tx, id);
      return ZooAgent.of(agent, parent(tx, agent));
    });
  }

  private @Nullable String parent(Tx tx, Agent agent) {
    return agent.parent() == null
        ? null
        : AgentTree.find(tx, agent.parent().value())
            .filter(this::isVisible)
            .map(Agent::handle)
            .orElse(null);
  }

  /// The id for the tools of brain entries, if the client may see that agent.
  String visible(String id) {
    return only == null ? id : database.read(tx -> require(tx, id)).id().value();
  }

  private Agent require(Tx tx, String id) {
    return AgentTree.find(tx, id)
        .filter(agent -> agent.isAlive() && isVisible(agent))
        .orElseThrow(() ->
            ErrorCode.AGENT_NOT_FOUND.fault(
                "Agent with ID '%s' not found.".formatted(id),
                "list agents with agent_zoo_list_agents"));
  }
}
