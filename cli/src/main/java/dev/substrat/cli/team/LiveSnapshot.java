package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import java.util.Comparator;
import java.util.List;

/// Memory, goals and plans of an existing agent, each list sorted by its content.
record LiveSnapshot(
    List<JsonNode> blocks,
    List<JsonNode> passages,
    List<JsonNode> values,
    List<JsonNode> brain,
    List<JsonNode> goals,
    List<JsonNode> plans) {

  private static final int USUAL_LIMIT = 4_000;

  static LiveSnapshot read(DaemonClient daemon, String agent) {
    String path = DaemonClient.path("/api/agents/", agent);
    JsonNode kept = daemon.read(path + "/memory");
    return new LiveSnapshot(
        // Shared blocks are exported separately.
        kept.path("blocks").valueStream().filter(one -> !one.path("shared").asBoolean()).toList(),
        passages(daemon, agent),
        kept.path("values").valueStream().toList(),
        daemon
            .readAll(path + "/brain?all=true&limit=200", "entries")
            .path("entries")
            .valueStream()
            .sorted(by("title"))
            .toList(),
        daemon.read(path + "/goals").path("goals").valueStream().toList(),
        daemon
            .read(path + "/plans")
            .path("plans")
            .valueStream()
            .sorted(
                by("name")
                    .thenComparing(by("instruction"))
                    .thenComparing(by("cron"))
                    .thenComparing(by("scheduledAt"))
                    .thenComparing(by("status")))
            .toList());
  }

  private static List<JsonNode> passages(DaemonClient daemon, String agent) {
    String path = DaemonClient.path("/api/agents/", agent) + "/passages?all=true&limit=200";
    return daemon
        .readAll(path, "passages")
        .path("passages")
        .valueStream()
        .sorted(
            by("createdAt")
                .thenComparing(by("content"))
                .thenComparing(one -> JsonTree.text(one.path("tags"))))
        .toList();
  }

  private static Comparator<JsonNode> by(String key) {
    return Comparator.comparing(one -> one.path(key).asText());
  }

  /// Adds the keys `memory`, `goals` and `plans` to an exported agent; empty lists are omitted.
  void exportTo(ObjectNode agent) {
    var memory = JsonTree.object();
    blocks.forEach(block -> memory.withArrayProperty("blocks").add(exportedBlock(block)));
    for (JsonNode passage : passages) {
      memory.withArrayProperty("passages").add(some(passage, "content", "tags", "createdAt"));
    }
    for (JsonNode value : values) {
      memory
          .withObjectProperty("values")
          .put(value.path("key").asText(), value.path("value").asText());
    }
    for (JsonNode entry : brain) {
      memory.withArrayProperty("brain").add(some(entry, "title", "content", "tags"));
    }
    if (!memory.isEmpty()) {
      agent.set("memory", memory);
    }
    for (JsonNode goal : goals) {
      agent.withArrayProperty("goals").add(some(goal, "description", "priority", "status"));
    }
    for (JsonNode plan : plans) {
      agent
          .withArrayProperty("plans")
          .add(some(plan, "name", "instruction", "cron", "timezone", "scheduledAt", "status"));
    }
  }

  /// A block, also a shared one, in the format of a file, without default values.
  static ObjectNode exportedBlock(JsonNode block) {
    ObjectNode exported = some(block, "label", "description", "limit", "readOnly", "content");
    if (block.path("limit").asInt() == USUAL_LIMIT) {
      exported.remove("limit");
    }
    if (!block.path("readOnly").asBoolean()) {
      exported.remove("readOnly");
    }
    if (block.path("content").asText().isEmpty()) {
      exported.put("content", "");
    }
    return exported;
  }

  /// These keys in this order, without empty values.
  private static ObjectNode some(JsonNode from, String... keys) {
    var some = JsonTree.object();
    for (String key : keys) {
      JsonNode value = from.path(key);
      boolean isEmpty =
          value instanceof ArrayNode list
              ? list.isEmpty()
              : value.isTextual() && value.asText().isEmpty();
      if (from.hasNonNull(key) && !isEmpty) {
        some.set(key, value);
      }
    }
    return some;
  }
}
