package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.team.PlanStep.PlannedRequest;
import dev.substrat.cli.team.PlanStep.WriteRequestsStep.WriteVerb;
import dev.substrat.cli.team.PlanStep.WriteRequestsStep.WrittenObjectKind;
import dev.substrat.protocol.SpellingSuggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Compares declared shared blocks with existing ones. Agents that the file does not name keep
/// their access.
final class SharedBlockPlanner {
  private static final String WRITERS = "writers";
  private static final List<String> ROLES = List.of("readers", WRITERS);
  private static final List<String> SETTINGS = List.of("description", "limit", "readOnly");

  private final DaemonClient daemon;
  private final TeamFile file;
  private final Map<String, LiveAgent> matched;
  private final boolean overwrites;
  private final Set<String> known = new TreeSet<>();
  private final List<PlanStep> changes = new ArrayList<>();
  private final List<String> kept = new ArrayList<>();
  private int unchanged;

  SharedBlockPlanner(
      DaemonClient daemon,
      TeamFile file,
      LiveTeam living,
      Map<String, LiveAgent> matched,
      boolean overwrites) {
    this.daemon = daemon;
    this.file = file;
    this.matched = matched;
    this.overwrites = overwrites;
    living.all().forEach(agent -> known.add(agent.handle()));
    file.allAgents().forEach(agent -> known.add(agent.handle()));
  }

  List<PlanStep> changes() {
    return changes;
  }

  List<String> kept() {
    return kept;
  }

  int unchanged() {
    return unchanged;
  }

  void plan() {
    if (file.sharedBlocks().isEmpty()) {
      return;
    }
    var living =
        new ArrayList<>(daemon.read("/api/shared-blocks").path("blocks").valueStream().toList());
    for (TeamFile.DeclaredObject block : file.sharedBlocks()) {
      int mistakes = file.problems().size();
      Map<String, Boolean> agents = agents(block);
      ObjectNode body = block.body().deepCopy();
      body.remove(ROLES);
      file.problems()
          .check(
              block.pointer(),
              "shared block " + block.name(),
              body,
              rest -> daemon.post("/api/shared-blocks?dryRun=true", rest));
      if (file.problems().size() == mistakes) {
        Optional<JsonNode> there = match(block, agents, living);
        there.ifPresent(living::remove);
        consider(block, body, agents, there);
      }
    }
  }

  /// Write access of each agent of the block, keyed by the handles in the file.
  private Map<String, Boolean> agents(TeamFile.DeclaredObject block) {
    var agents = new LinkedHashMap<String, Boolean>();
    for (String role : ROLES) {
      JsonNode list = block.body().path(role);
      String pointer = block.pointer() + "/" + role;
      if (!list.isMissingNode() && !list.isArray()) {
        wrong(pointer, "must be a list of handles", "for example %s: [mira]".formatted(role));
      }
      for (int i = 0; i < list.size(); i++) {
        String handle = list.get(i).asText();
        if (!known.contains(handle)) {
          wrong(
              pointer + "/" + i,
              "agent \"%s\" not found".formatted(handle)
                  + SpellingSuggestion.suggestionSuffix(handle, known),
              "declare the agent under agents");
        } else {
          requireOne(block, handle, pointer + "/" + i);
          agents.put(handle, role.equals(WRITERS));
        }
      }
    }
    return agents;
  }

  /// Rejects a label that an agent already uses for another block.
  private void requireOne(TeamFile.DeclaredObject block, String handle, String pointer) {
    DeclaredAgent agent = file.agents().get(handle);
    boolean isOwn =
        agent != null
            && agent
                .snapshot()
                .path("memory")
                .path("blocks")
                .valueStream()
                .anyMatch(one -> one.path("label").asText().equals(block.name()));
    boolean isOther =
        file.sharedBlocks().stream()
            .filter(other -> !other.pointer().equals(block.pointer()))
            .filter(other -> other.name().equals(block.name()))
            .flatMap(other -> ROLES.stream().map(other.body()::path))
            .flatMap(JsonNode::valueStream)
            .anyMatch(one -> one.asText().equals(handle));
    if (isOwn || isOther) {
      wrong(
          pointer,
          "%s already has a block \"%s\" of its own".formatted(handle, block.name()),
          "labels are unique per agent: use another label");
    }
  }

  private void wrong(String pointer, String message, String advice) {
    file.problems().add(pointer, message, advice);
  }

  /// Labels of shared blocks need not be unique. Prefers the block of a declared agent, then one
  /// with the same content, then the only one with that label.
  private Optional<JsonNode> match(
      TeamFile.DeclaredObject block, Map<String, Boolean> agents, List<JsonNode> living) {
    List<JsonNode> namesakes =
        living.stream().filter(one -> one.path("label").asText().equals(block.name())).toList();
    Set<String> handles = agents.keySet().stream().map(this::existing).collect(Collectors.toSet());
    boolean isOnly =
        namesakes.size() == 1
            && file.sharedBlocks().stream().filter(one -> one.name().equals(block.name())).count()
                == 1;
    return namesakes.stream()
        .filter(one -> readers(one).keySet().stream().anyMatch(handles::contains))
        .findFirst()
        .or(() ->
            namesakes.stream().filter(one -> !differs(block.body(), one, "content")).findFirst())
        .or(() -> isOnly ? namesakes.stream().findFirst() : Optional.empty());
  }

  private String existing(String handle) {
    LiveAgent agent = matched.get(handle);
    return agent == null ? handle : agent.handle();
  }

  private static Map<String, Boolean> readers(JsonNode block) {
    var readers = new LinkedHashMap<String, Boolean>();
    block
        .path("agents")
        .forEach(one -> readers.put(one.path("agent").asText(), one.path("mayWrite").asBoolean()));
    return readers;
  }

  private void consider(
      TeamFile.DeclaredObject block,
      ObjectNode body,
      Map<String, Boolean> agents,
      Optional<JsonNode> there) {
    if (there.isEmpty()) {
      agents.forEach(
          (handle, mayWrite) -> body.withArrayProperty("agents").add(attachment(handle, mayWrite)));
      add(
          WriteVerb.CREATE,
          block,
          words(agents),
          new PlannedRequest("POST", null, "/api/shared-blocks", body));
      return;
    }
    JsonNode old = there.get();
    String path = DaemonClient.path("/api/shared-blocks/", old.path("id").asText());
    var requests = new ArrayList<PlannedRequest>();
    var changed = new ArrayList<String>();
    compareText(block, old, agents)
        .ifPresent(change -> {
          requests.add(new PlannedRequest("PUT", null, path, change));
          changed.add("text");
        });
    Map<String, Boolean> readers = readers(old);
    agents.forEach((handle, mayWrite) -> {
      if (!mayWrite.equals(readers.get(existing(handle)))) {
        requests.add(
            new PlannedRequest("POST", null, path + "/agents", attachment(handle, mayWrite)));
        changed.add("+ " + handle);
      }
    });
    if (requests.isEmpty()) {
      unchanged++;
    } else {
      add(
          WriteVerb.UPDATE,
          block,
          String.join(", ", changed),
          requests.toArray(PlannedRequest[]::new));
    }
  }

  /// The change to write. Content that agents have changed is kept, as in their own blocks.
  private Optional<ObjectNode> compareText(
      TeamFile.DeclaredObject block, JsonNode old, Map<String, Boolean> agents) {
    ObjectNode body = block.body();
    boolean isText = differs(body, old, "content");
    boolean isPeoples =
        body.path("readOnly").asBoolean()
            || (!body.has("readOnly") && old.path("readOnly").asBoolean())
            || (!agents.containsValue(true) && !readers(old).containsValue(true));
    boolean isWritten = isText && (overwrites || isPeoples);
    if (isText && !isWritten) {
      kept.add("shared block " + block.name());
    }
    if (!isWritten && SETTINGS.stream().noneMatch(key -> differs(body, old, key))) {
      return Optional.empty();
    }
    ObjectNode change = body.deepCopy();
    change.remove(ROLES);
    change.remove("label");
    change.set("content", isWritten ? body.path("content") : old.path("content"));
    return Optional.of(change.set("version", old.path("version")));
  }

  private static boolean differs(JsonNode declared, JsonNode living, String key) {
    return declared.has(key)
        && !JsonTree.text(declared.path(key)).equals(JsonTree.text(living.path(key)));
  }

  private static ObjectNode attachment(String handle, boolean mayWrite) {
    return JsonTree.object().put("agent", handle).put("mayWrite", mayWrite);
  }

  private static String words(Map<String, Boolean> agents) {
    return agents.entrySet().stream()
        .map(entry -> entry.getKey() + (entry.getValue() ? " (writes)" : ""))
        .collect(Collectors.joining(", "));
  }

  private void add(
      WriteVerb verb, TeamFile.DeclaredObject block, String detail, PlannedRequest... requests) {
    changes.add(
        new PlanStep.WriteRequestsStep(
            verb, WrittenObjectKind.SHARED_BLOCK, null, block.name(), detail, List.of(requests)));
  }
}
