package dev.substrat.cli.team;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import dev.substrat.protocol.SpellingSuggestion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Matches declared agents to existing ones.
///
/// An explicit handle decides. Otherwise it is the agent with the derived handle at the declared
/// position, or the agent with that name there: handles of terminated agents are not reused, so the
/// daemon may have added a number. Names are unique among siblings, so the match is stable.
final class AgentMatching {
  private final TeamFile file;
  private final LiveTeam living;
  private final Map<String, LiveAgent> matched = new LinkedHashMap<>();

  AgentMatching(TeamFile file, LiveTeam living) {
    this.file = file;
    this.living = living;
  }

  /// Parents must be matched before their children.
  Optional<LiveAgent> match(DeclaredAgent agent, TreePosition place) {
    Optional<LiveAgent> found =
        agent.hasExplicitHandle() ? byGivenHandle(agent, place) : byName(agent, place);
    found.ifPresent(one -> matched.put(agent.handle(), one));
    return found;
  }

  /// All agents matched so far.
  List<LiveAgent> matched() {
    return List.copyOf(matched.values());
  }

  /// The same, keyed by the handles in the file.
  Map<String, LiveAgent> byDeclaredHandle() {
    return Map.copyOf(matched);
  }

  TreePosition position(DeclaredAgent agent) {
    String parent = agent.parent();
    if (parent == null) {
      return new TreePosition.Top();
    }
    Optional<DeclaredAgent> inFile = file.parentOf(agent);
    if (inFile.isEmpty()) {
      return new TreePosition.Under(living.find(parent).orElseThrow(() -> unknownParent(parent)));
    }
    LiveAgent alive = matched.get(inFile.get().handle());
    return alive == null ? new TreePosition.UnderNew(inFile.get()) : new TreePosition.Under(alive);
  }

  private Optional<LiveAgent> byGivenHandle(DeclaredAgent agent, TreePosition place) {
    Optional<LiveAgent> found = living.find(agent.handle());
    found.filter(one -> !place.matches(one)).ifPresent(this::refuseToMove);
    // A new handle for a known name. Names of roots are not unique, so there it is a new agent.
    return found.isPresent() || place instanceof TreePosition.Top
        ? found
        : namesakes(agent, place).stream().findFirst();
  }

  private Optional<LiveAgent> byName(DeclaredAgent agent, TreePosition place) {
    Optional<LiveAgent> suggested = living.find(agent.handle());
    if (suggested.filter(place::matches).isPresent()) {
      return suggested;
    }
    List<LiveAgent> namesakes = namesakes(agent, place);
    if (namesakes.size() > 1) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "several agents are named %s: %s".formatted(agent.name(), handles(namesakes)),
          "set handle: to one of these, or to a new one");
    }
    if (namesakes.isEmpty()) {
      // An agent spawned under another parent only happens to have the handle.
      suggested.filter(one -> !one.spawned()).ifPresent(this::refuseToMove);
    }
    return namesakes.stream().findFirst();
  }

  /// Agents with that name at that position, unless the file declares them separately.
  private List<LiveAgent> namesakes(DeclaredAgent agent, TreePosition place) {
    return living.all().stream()
        .filter(place::matches)
        .filter(one -> one.name().equalsIgnoreCase(agent.name()))
        .filter(one -> !file.hasExplicitHandle(one.handle()) && !matched.containsValue(one))
        .toList();
  }

  private void refuseToMove(LiveAgent agent) {
    throw ErrorCode.INVALID_CONFIG.fault(
        "already has parent %s, and agents cannot be moved".formatted(living.handleOfParent(agent)),
        "terminate it first (./substrat agent terminate %s), or use another handle"
            .formatted(agent.handle()));
  }

  private Fault unknownParent(String parent) {
    String there = living.all().isEmpty() ? "" : "; the daemon has: " + handles(living.all());
    var known = new TreeSet<>(file.agents().keySet());
    living.all().forEach(agent -> known.add(agent.handle()));
    String message =
        "agent \"%s\" not found".formatted(parent)
            + SpellingSuggestion.suggestionSuffix(parent, known);
    return ErrorCode.INVALID_CONFIG.fault(
        message,
        "declare it in the file, or use an existing agent" + there,
        List.of(new Problem.Detail("/parent", message)));
  }

  private static String handles(List<LiveAgent> agents) {
    String some = agents.stream().limit(8).map(LiveAgent::handle).collect(Collectors.joining(", "));
    return agents.size() > 8 ? some + ", …" : some;
  }
}
