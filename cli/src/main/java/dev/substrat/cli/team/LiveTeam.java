package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// All existing agents of the daemon, oldest first.
final class LiveTeam {
  private final Map<String, LiveAgent> byId = new LinkedHashMap<>();

  LiveTeam(JsonNode agents) {
    for (JsonNode agent : agents) {
      byId.put(agent.path("id").asText(), LiveAgent.of(agent));
    }
  }

  List<LiveAgent> all() {
    return List.copyOf(byId.values());
  }

  Optional<LiveAgent> find(String idOrHandle) {
    return all().stream()
        .filter(one -> one.handle().equals(idOrHandle) || one.id().equals(idOrHandle))
        .findFirst();
  }

  Optional<LiveAgent> parentOf(LiveAgent agent) {
    return Optional.ofNullable(byId.get(agent.parentId()));
  }

  String handleOfParent(LiveAgent agent) {
    return parentOf(agent).map(LiveAgent::handle).orElse("none");
  }

  List<LiveAgent> roots() {
    return all().stream().filter(one -> parentOf(one).isEmpty()).toList();
  }

  List<LiveAgent> childrenOf(LiveAgent agent) {
    return all().stream().filter(one -> one.parentId().equals(agent.id())).toList();
  }

  /// All descendants, depth first.
  List<LiveAgent> descendants(LiveAgent agent) {
    var below = new ArrayList<LiveAgent>();
    for (LiveAgent child : childrenOf(agent)) {
      below.add(child);
      below.addAll(descendants(child));
    }
    return below;
  }

  /// The agents and all their ancestors.
  Set<LiveAgent> withAncestors(Iterable<LiveAgent> agents) {
    var all = new HashSet<LiveAgent>();
    for (LiveAgent agent : agents) {
      Optional<LiveAgent> next = Optional.of(agent);
      while (next.isPresent() && all.add(next.get())) {
        next = parentOf(next.get());
      }
    }
    return all;
  }
}
