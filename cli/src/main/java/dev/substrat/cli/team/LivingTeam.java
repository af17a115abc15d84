package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// All agents that live on the daemon, oldest first.
final class LivingTeam {
  private final Map<String, Living> byId = new LinkedHashMap<>();

  LivingTeam(JsonNode agents) {
    for (JsonNode agent : agents) {
      byId.put(agent.path("id").asText(), Living.of(agent));
    }
  }

  List<Living> all() {
    return List.copyOf(byId.values());
  }

  Optional<Living> find(String idOrHandle) {
    return all().stream()
        .filter(one -> one.handle().equals(idOrHandle) || one.id().equals(idOrHandle))
        .findFirst();
  }

  Optional<Living> parentOf(Living agent) {
    return Optional.ofNullable(byId.get(agent.parentId()));
  }

  String handleOfParent(Living agent) {
    return parentOf(agent).map(Living::handle).orElse("nobody");
  }

  List<Living> roots() {
    return all().stream().filter(one -> parentOf(one).isEmpty()).toList();
  }

  List<Living> childrenOf(Living agent) {
    return all().stream().filter(one -> one.parentId().equals(agent.id())).toList();
  }

  /// Everyone below, nearest first along each branch.
  List<Living> below(Living agent) {
    var below = new ArrayList<Living>();
    for (Living child : childrenOf(agent)) {
      below.add(child);
      below.addAll(below(child));
    }
    return below;
  }

  /// The agents themselves and everyone above them.
  Set<Living> withAllAbove(Iterable<Living> agents) {
    var all = new HashSet<Living>();
    for (Living agent : agents) {
      Optional<Living> next = Optional.of(agent);
      while (next.isPresent() && all.add(next.get())) {
        next = parentOf(next.get());
      }
    }
    return all;
  }
}
