package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.SpellingSuggestion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Compares declared spaces with existing ones. Undeclared members are kept, because agents and
/// people join and leave at run time.
final class SpacePlanner {
  /// Properties that cannot be changed.
  private static final String KIND = "kind";

  private static final List<String> COMPARED =
      List.of("name", KIND, "topic", "wakePolicy", "maxChainDepth");

  private final DaemonClient daemon;
  private final TeamFileProblems refusals;
  private final Set<String> known = new HashSet<>(Set.of("operator"));
  private final Map<String, String> handles = new HashMap<>();
  private final List<PlanStep> changes = new ArrayList<>();
  private int unchanged;

  /// `matched` has the existing agents, keyed by the handles in the file.
  SpacePlanner(
      DaemonClient daemon,
      LiveTeam living,
      Map<String, LiveAgent> matched,
      TeamFileProblems refusals) {
    this.daemon = daemon;
    this.refusals = refusals;
    living.all().forEach(agent -> known.add(agent.handle()));
    living.all().forEach(agent -> handles.put(agent.id(), agent.handle()));
    matched.forEach((handle, agent) -> handles.put(handle, agent.handle()));
  }

  /// `people` are the names of existing people.
  void plan(TeamFile file, Set<String> people) {
    if (file.spaces().isEmpty()) {
      return;
    }
    file.allAgents().forEach(agent -> known.add(agent.handle()));
    file.people().forEach(person -> known.add(person.name()));
    known.addAll(people);
    known.addAll(handles.keySet());
    Map<String, JsonNode> there = new HashMap<>();
    for (JsonNode space : daemon.readAll("/api/spaces", "spaces").path("spaces")) {
      boolean isDm = space.path(KIND).asText().equals("dm");
      if (!isDm) {
        there.put(space.path("id").asText(), space);
      } else if (file.spaces().stream().anyMatch(DeclaredSpace::isDm)) {
        there.put(pair(members(space(space.path("id").asText()))), space);
      }
    }
    for (DeclaredSpace space : file.spaces()) {
      String key =
          space.isDm() ? pair(space.members().stream().map(this::resolvedMember)) : space.id();
      consider(space, Optional.ofNullable(there.get(key)));
    }
  }

  List<PlanStep> changes() {
    return changes;
  }

  int unchanged() {
    return unchanged;
  }

  private JsonNode space(String id) {
    return daemon.read(DaemonClient.path("/api/spaces/", id));
  }

  private static Stream<String> members(JsonNode space) {
    return space.path("members").valueStream().map(one -> one.path("handle").asText());
  }

  /// A DM is identified by its two members.
  private static String pair(Stream<String> members) {
    return "dm " + members.sorted().collect(Collectors.joining(" "));
  }

  private String resolvedMember(String member) {
    return handles.getOrDefault(member, member);
  }

  private void consider(DeclaredSpace space, Optional<JsonNode> there) {
    int before = refusals.size();
    for (int i = 0; i < space.members().size(); i++) {
      String member = space.members().get(i);
      if (!known.contains(member)) {
        refusals.add(
            "%s/members/%d".formatted(space.pointer(), i),
            "no agent or person \"%s\"".formatted(member)
                + SpellingSuggestion.suggestionSuffix(member, known),
            "declare the name under agents or people");
      }
    }
    if (there.isEmpty()) {
      refusals.check(
          space.pointer(),
          space.id(),
          body(space),
          body -> daemon.post("/api/spaces?dryRun=true", body));
      changes.add(new PlanStep.CreateSpaceStep(space));
    } else {
      compare(space, space(there.get().path("id").asText()), refusals.size() == before);
    }
  }

  private static ObjectNode body(DeclaredSpace space) {
    ObjectNode body = space.config().deepCopy();
    space.members().forEach(body.withArrayProperty("members")::add);
    return body;
  }

  private void compare(DeclaredSpace space, JsonNode living, boolean hasKnownMembers) {
    var changed =
        new ArrayList<>(COMPARED.stream().filter(key -> differs(space, living, key)).toList());
    if (changed.contains(KIND)) {
      refusals.add(
          space.pointer() + "/" + KIND,
          "is \"%s\" in the existing space and cannot be changed"
              .formatted(living.path(KIND).asText()),
          "use that value, or give this space another id");
    }
    String id = living.path("id").asText();
    // Unchanged keys are sent, too, so that errors in them are reported.
    ObjectNode body = space.config().deepCopy();
    body.remove(List.of(KIND, "id"));
    refusals.check(
        space.pointer(),
        space.id(),
        body,
        rest -> daemon.put(DaemonClient.path("/api/spaces/", id) + "?dryRun=true", rest));
    Set<String> present = members(living).collect(Collectors.toSet());
    List<String> newcomers =
        space.members().stream()
            .filter(member -> !present.contains(resolvedMember(member)))
            .toList();
    if (!newcomers.isEmpty() && hasKnownMembers) {
      changed.add("members");
    }
    if (changed.isEmpty()) {
      unchanged++;
    } else {
      changes.add(new PlanStep.UpdateSpaceStep(space, id, List.copyOf(changed), newcomers));
    }
  }

  /// Keys that the file does not have count as equal. A DM without a name gets one from the daemon.
  private static boolean differs(DeclaredSpace space, JsonNode living, String key) {
    JsonNode wanted = space.config().path(key);
    boolean isUnnamed = space.isDm() && key.equals("name") && wanted.asText().equals(space.id());
    return !isUnnamed
        && !wanted.isMissingNode()
        && !JsonTree.text(wanted).equals(JsonTree.text(living.path(key)));
  }
}
