package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.team.PlanStep.PlannedRequest;
import dev.substrat.cli.team.PlanStep.WriteRequestsStep.WriteVerb;
import dev.substrat.cli.team.PlanStep.WriteRequestsStep.WrittenObjectKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Compares the declared memory of an agent with the existing one.
///
/// Agents change their memory at run time, so entries that differ are kept unless `overwrites`, and
/// undeclared entries are deleted only if `prunes` and the file has that list. What only people can
/// change always follows the file: read-only blocks, and the description, limit and read-only flag
/// of every block.
final class SnapshotPlanner {
  private static final List<String> SETTINGS = List.of("description", "limit", "readOnly");

  private final String agent;
  private final boolean overwrites;
  private final boolean prunes;
  private final List<PlanStep> changes = new ArrayList<>();
  private final List<String> kept = new ArrayList<>();
  private final List<PlannedRequest> deletions = new ArrayList<>();
  private final Map<String, Integer> created = new LinkedHashMap<>();
  private final Map<String, Integer> deleted = new LinkedHashMap<>();
  private final List<String> updated = new ArrayList<>();
  private final List<PlannedRequest> updates = new ArrayList<>();

  SnapshotPlanner(String agent, boolean overwrites, boolean prunes) {
    this.agent = agent;
    this.overwrites = overwrites;
    this.prunes = prunes;
  }

  List<PlanStep> changes() {
    return changes;
  }

  /// Names of entries that differ from the file and are not changed.
  List<String> kept() {
    return kept;
  }

  /// `living` is empty for an agent that is created by the plan.
  void plan(ObjectNode declared, Optional<LiveSnapshot> living) {
    JsonNode memory = declared.path("memory");
    var fresh = JsonTree.object();
    blocks(memory, living.map(LiveSnapshot::blocks).orElse(List.of()), fresh);
    values(memory, living.map(LiveSnapshot::values).orElse(List.of()), fresh);
    brain(memory, living.map(LiveSnapshot::brain).orElse(List.of()), fresh);
    passages(memory, living.map(LiveSnapshot::passages).orElse(List.of()), fresh);
    addMemory(fresh);
    var goals = new GoalPlanner(agent, overwrites, prunes, changes, kept);
    goals.planGoals(declared, living.map(LiveSnapshot::goals).orElse(List.of()));
    goals.planPlans(declared, living.map(LiveSnapshot::plans).orElse(List.of()));
  }

  private void addMemory(ObjectNode fresh) {
    if (!created.isEmpty()) {
      var snapshot = JsonTree.object().set("memory", fresh);
      List<PlannedRequest> requests =
          SnapshotChunk.of((ObjectNode) snapshot).stream()
              .map(chunk -> PlannedRequest.restore(agent, chunk.body()))
              .toList();
      add(WriteVerb.CREATE, counted(created), requests);
    }
    if (!updates.isEmpty()) {
      add(WriteVerb.UPDATE, String.join(", ", updated), List.copyOf(updates));
    }
    if (!deletions.isEmpty()) {
      add(WriteVerb.DELETE, counted(deleted), List.copyOf(deletions));
    }
  }

  private static String counted(Map<String, Integer> counts) {
    return counts.entrySet().stream()
        .map(entry -> count(entry.getValue(), entry.getKey()))
        .collect(Collectors.joining(", "));
  }

  private static String count(int number, String noun) {
    if (number == 1) {
      return "1 " + noun;
    }
    return number + " " + (noun.endsWith("y") ? noun.replaceFirst("y$", "ies") : noun + "s");
  }

  private void add(WriteVerb verb, String detail, List<PlannedRequest> requests) {
    changes.add(
        new PlanStep.WriteRequestsStep(
            verb, WrittenObjectKind.MEMORY, agent, agent, detail, requests));
  }

  private void blocks(JsonNode memory, List<JsonNode> living, ObjectNode fresh) {
    Map<String, JsonNode> there = byName(living, "label");
    for (JsonNode block : memory.path("blocks")) {
      String label = block.path("label").asText();
      JsonNode old = there.get(label);
      if (old == null) {
        fresh.withArrayProperty("blocks").add(block);
        created.merge("block", 1, Integer::sum);
      } else {
        compareBlock(label, block, old);
      }
    }
    prune(memory.path("blocks"), living, "label", "block", one -> path("/memory/", one, "label"));
  }

  private void compareBlock(String label, JsonNode block, JsonNode old) {
    boolean isText = !block.path("content").asText().equals(old.path("content").asText());
    boolean isPeoples =
        block.path("readOnly").asBoolean()
            || (!block.has("readOnly") && old.path("readOnly").asBoolean());
    boolean isWritten = isText && (overwrites || isPeoples);
    if (isText && !isWritten) {
      kept.add("block " + label);
    }
    if (isWritten || SETTINGS.stream().anyMatch(key -> differs(block, old, key))) {
      ObjectNode body = ((ObjectNode) block.deepCopy()).without("label");
      body.set("content", isWritten ? block.path("content") : old.path("content"));
      body.set("version", old.path("version"));
      updated.add("block " + label);
      updates.add(new PlannedRequest("PUT", agent, path("/memory/", old, "label"), body));
    }
  }

  private void values(JsonNode memory, List<JsonNode> living, ObjectNode fresh) {
    Map<String, JsonNode> there = byName(living, "key");
    for (var entry : memory.path("values").properties()) {
      JsonNode old = there.get(entry.getKey());
      if (old == null) {
        fresh.withObjectProperty("values").set(entry.getKey(), entry.getValue());
        created.merge("value", 1, Integer::sum);
      } else if (!old.path("value").asText().equals(entry.getValue().asText())) {
        var snapshot = JsonTree.object();
        snapshot
            .withObjectProperty("memory")
            .withObjectProperty("values")
            .set(entry.getKey(), entry.getValue());
        change("value " + entry.getKey(), snapshot);
      }
    }
    if (prunes && memory.has("values")) {
      living.stream()
          .filter(one -> !memory.path("values").has(one.path("key").asText()))
          .forEach(one -> delete("value", path("/values/", one, "key")));
    }
  }

  private void brain(JsonNode memory, List<JsonNode> living, ObjectNode fresh) {
    Map<String, JsonNode> there = byName(living, "title");
    for (JsonNode entry : memory.path("brain")) {
      JsonNode old = there.get(entry.path("title").asText());
      if (old == null) {
        fresh.withArrayProperty("brain").add(entry);
        created.merge("brain entry", 1, Integer::sum);
      } else if (differs(entry, old, "content") || differs(entry, old, "tags")) {
        var snapshot = JsonTree.object();
        snapshot.withObjectProperty("memory").withArrayProperty("brain").add(entry);
        change("brain entry " + entry.path("title").asText(), snapshot);
      }
    }
    prune(memory.path("brain"), living, "title", "brain entry", one -> path("/brain/", one, "id"));
  }

  /// An agent may have several equal passages. If it has fewer than the file, all of the file's are
  /// sent, and the daemon adds the missing ones.
  private void passages(JsonNode memory, List<JsonNode> living, ObjectNode fresh) {
    var wanted = new LinkedHashMap<String, List<JsonNode>>();
    memory
        .path("passages")
        .forEach(one -> wanted.computeIfAbsent(text(one), _ -> new ArrayList<>()).add(one));
    var there = new HashMap<String, Integer>();
    living.forEach(one -> there.merge(text(one), 1, Integer::sum));
    wanted.forEach((text, copies) -> {
      int missing = copies.size() - there.getOrDefault(text, 0);
      if (missing > 0) {
        fresh.withArrayProperty("passages").addAll(copies);
        created.merge("passage", missing, Integer::sum);
      }
    });
    if (prunes && memory.has("passages")) {
      for (JsonNode one : living) {
        int remaining = there.merge(text(one), -1, Integer::sum) + 1;
        if (remaining > wanted.getOrDefault(text(one), List.of()).size()) {
          delete("passage", path("/passages/", one, "id"));
        }
      }
    }
  }

  /// Passages have no name; they are equal if content and tags are equal.
  static String text(JsonNode passage) {
    String tags = passage.path("tags").isEmpty() ? "[]" : JsonTree.text(passage.path("tags"));
    return tags + passage.path("content").asText();
  }

  private void change(String what, ObjectNode snapshot) {
    if (overwrites) {
      updated.add(what);
      updates.add(PlannedRequest.restore(agent, snapshot));
    } else {
      kept.add(what);
    }
  }

  private interface PathResolver {
    String of(JsonNode one);
  }

  private void prune(
      JsonNode declared, List<JsonNode> living, String key, String noun, PathResolver path) {
    if (prunes && declared.isArray()) {
      var names =
          declared.valueStream().map(one -> one.path(key).asText()).collect(Collectors.toSet());
      living.stream()
          .filter(one -> !names.contains(one.path(key).asText()))
          .forEach(one -> delete(noun, path.of(one)));
    }
  }

  private void delete(String noun, String path) {
    deleted.merge(noun, 1, Integer::sum);
    deletions.add(new PlannedRequest("DELETE", agent, path, null));
  }

  static String path(String fixed, JsonNode one, String key) {
    return DaemonClient.path(fixed, one.path(key).asText());
  }

  /// Keys that the file does not have count as equal.
  static boolean differs(JsonNode declared, JsonNode living, String key) {
    return declared.has(key)
        && !JsonTree.text(declared.path(key)).equals(JsonTree.text(living.path(key)));
  }

  private static Map<String, JsonNode> byName(List<JsonNode> living, String key) {
    var byName = new LinkedHashMap<String, JsonNode>();
    living.forEach(one -> byName.put(one.path(key).asText(), one));
    return byName;
  }
}
