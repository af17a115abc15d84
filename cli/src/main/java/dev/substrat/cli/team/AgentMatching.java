package dev.substrat.cli.team;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import dev.substrat.protocol.Spelling;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Which living agent each declared one is.
///
/// A handle that is written down decides. Otherwise it is the agent of the suggested handle in the
/// declared place; or, because handles of the dead are not given out again and the daemon then adds
/// a number, the one of that name there. Names are unique among siblings, so this finds the same
/// agent every time.
final class AgentMatching {
  private final TeamFile file;
  private final LiveTeam living;
  private final Map<String, LiveAgent> matched = new LinkedHashMap<>();

  AgentMatching(TeamFile file, LiveTeam living) {
    this.file = file;
    this.living = living;
  }

  /// Must be asked for parents first.
  Optional<LiveAgent> match(DeclaredAgent agent, TreePosition place) {
    Optional<LiveAgent> found =
        agent.isHandleGiven() ? byGivenHandle(agent, place) : byName(agent, place);
    found.ifPresent(one -> matched.put(agent.handle(), one));
    return found;
  }

  /// Everybody who was found so far.
  List<LiveAgent> matched() {
    return List.copyOf(matched.values());
  }

  /// The same, by the handles that the file gives them.
  Map<String, LiveAgent> byDeclaredHandle() {
    return Map.copyOf(matched);
  }

  TreePosition place(DeclaredAgent agent) {
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
    found.filter(one -> !place.isOf(one)).ifPresent(this::refuseToMove);
    // A new handle for a known name: at the top names are not unique, so there it is a new agent.
    return found.isPresent() || place instanceof TreePosition.Top
        ? found
        : namesakes(agent, place).stream().findFirst();
  }

  private Optional<LiveAgent> byName(DeclaredAgent agent, TreePosition place) {
    Optional<LiveAgent> suggested = living.find(agent.handle());
    if (suggested.filter(place::isOf).isPresent()) {
      return suggested;
    }
    List<LiveAgent> namesakes = namesakes(agent, place);
    if (namesakes.size() > 1) {
      throw new Fault(
          ErrorCode.INVALID_CONFIG,
          "several agents are called %s: %s".formatted(agent.name(), handles(namesakes)),
          "say which: give it one of these handles, or a new one");
    }
    if (namesakes.isEmpty()) {
      // One that was spawned somewhere else is not meant; it only has the handle.
      suggested.filter(one -> !one.spawned()).ifPresent(this::refuseToMove);
    }
    return namesakes.stream().findFirst();
  }

  /// Those of that name in that place, unless the file means somebody else by them.
  private List<LiveAgent> namesakes(DeclaredAgent agent, TreePosition place) {
    return living.all().stream()
        .filter(place::isOf)
        .filter(one -> one.name().equalsIgnoreCase(agent.name()))
        .filter(one -> !file.names(one.handle()) && !matched.containsValue(one))
        .toList();
  }

  private void refuseToMove(LiveAgent agent) {
    throw new Fault(
        ErrorCode.INVALID_CONFIG,
        "already reports to %s, and agents do not move".formatted(living.handleOfParent(agent)),
        "terminate it first (./substrat agent terminate %s), or give this one another handle"
            .formatted(agent.handle()));
  }

  private Fault unknownParent(String parent) {
    String there = living.all().isEmpty() ? "" : "; the daemon has: " + handles(living.all());
    var known = new TreeSet<>(file.agents().keySet());
    living.all().forEach(agent -> known.add(agent.handle()));
    String message = "there is no agent \"%s\"".formatted(parent) + Spelling.aside(parent, known);
    return new Fault(
        ErrorCode.INVALID_CONFIG,
        message,
        "declare it in the file, or name one that lives" + there,
        List.of(new Problem.Detail("/parent", message)));
  }

  private static String handles(List<LiveAgent> agents) {
    String some = agents.stream().limit(8).map(LiveAgent::handle).collect(Collectors.joining(", "));
    return agents.size() > 8 ? some + ", …" : some;
  }
}
