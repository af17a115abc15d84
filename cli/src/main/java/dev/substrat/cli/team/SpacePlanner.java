package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.wire.Daemon;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Compares declared spaces with those there are. Members that the file does not name stay: agents
/// and people come and go by themselves.
final class SpacePlanner {
  /// What cannot become different without making another space.
  private static final String KIND = "kind";

  private static final List<String> COMPARED =
      List.of("name", KIND, "topic", "wakePolicy", "maxChainDepth");

  private final Daemon daemon;
  private final Refusals refusals;
  private final SpaceRehearsal rehearsal;
  private final Set<String> known = new HashSet<>(Set.of("operator"));
  private final Map<String, String> handles = new HashMap<>();
  private final List<Step> changes = new ArrayList<>();
  private int unchanged;

  /// `matched` are the living agents by the handles that the file gives them.
  SpacePlanner(Daemon daemon, LivingTeam living, Map<String, Living> matched, Refusals refusals) {
    this.daemon = daemon;
    this.refusals = refusals;
    this.rehearsal = new SpaceRehearsal(daemon, refusals);
    living.all().forEach(agent -> known.add(agent.handle()));
    living.all().forEach(agent -> handles.put(agent.id(), agent.handle()));
    matched.forEach((handle, agent) -> handles.put(handle, agent.handle()));
  }

  void plan(TeamFile file) {
    if (file.spaces().isEmpty()) {
      return;
    }
    file.inOrder().forEach(agent -> known.add(agent.handle()));
    daemon
        .readAll("/api/people", "people")
        .path("people")
        .forEach(person -> known.add(person.path("name").asText()));
    known.addAll(handles.keySet());
    Set<String> there =
        daemon
            .readAll("/api/spaces", "spaces")
            .path("spaces")
            .valueStream()
            .map(space -> space.path("id").asText())
            .collect(Collectors.toSet());
    file.spaces().forEach(space -> consider(space, there.contains(space.id())));
  }

  List<Step> changes() {
    return changes;
  }

  int unchanged() {
    return unchanged;
  }

  private void consider(DeclaredSpace space, boolean isThere) {
    for (int i = 0; i < space.members().size(); i++) {
      if (!known.contains(space.members().get(i))) {
        refusals.add(
            "%s/members/%d".formatted(space.pointer(), i),
            "there is no agent and no person \"%s\"".formatted(space.members().get(i)),
            "declare the agent in the file, or let the person in: ./substrat token create --person");
      }
    }
    if (!isThere) {
      rehearsal.create(space);
      changes.add(new Step.CreateSpace(space));
      return;
    }
    compare(space, daemon.read(Daemon.path("/api/spaces/", space.id())));
  }

  private void compare(DeclaredSpace space, JsonNode living) {
    var changed =
        new ArrayList<>(COMPARED.stream().filter(key -> differs(space, living, key)).toList());
    if (changed.contains(KIND)) {
      refusals.add(
          space.pointer() + "/" + KIND,
          "is \"%s\" in the space that is there, and does not change"
              .formatted(living.path(KIND).asText()),
          "write it so, or give this space another id");
    }
    if (!changed.isEmpty()) {
      rehearsal.update(space, changed);
    }
    List<String> newcomers = newcomers(space, living.path("members"));
    if (!newcomers.isEmpty()) {
      changed.add("members");
    }
    if (changed.isEmpty()) {
      unchanged++;
    } else {
      changes.add(new Step.UpdateSpace(space, List.copyOf(changed), newcomers));
    }
  }

  /// What the file does not say is as it is.
  private static boolean differs(DeclaredSpace space, JsonNode living, String key) {
    JsonNode wanted = space.config().path(key);
    return !wanted.isMissingNode() && !wanted.asText().equals(living.path(key).asText());
  }

  private List<String> newcomers(DeclaredSpace space, JsonNode members) {
    Set<String> there =
        members.valueStream().map(one -> one.path("handle").asText()).collect(Collectors.toSet());
    return space.members().stream()
        .filter(member -> !there.contains(handles.getOrDefault(member, member)))
        .toList();
  }
}
