package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.protocol.Handle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads the spaces that a team file declares, and notes what is wrong with them.
final class SpaceReader {
  private static final Set<String> KEYS =
      Set.of("id", "name", "kind", "topic", "wakePolicy", "maxChainDepth", "members");

  private final Refusals refusals;
  private final Map<String, DeclaredSpace> spaces = new LinkedHashMap<>();

  SpaceReader(Refusals refusals) {
    this.refusals = refusals;
  }

  List<DeclaredSpace> read(JsonNode list) {
    if (!list.isMissingNode() && !list.isArray()) {
      refusals.add("/spaces", "must be a list", "start each space with a dash: - name: General");
      return List.of();
    }
    for (int i = 0; i < list.size(); i++) {
      String pointer = "/spaces/" + i;
      if (list.get(i) instanceof ObjectNode space) {
        readOne(space, pointer);
      } else {
        refusals.add(pointer, "must be a space", "write keys and values: - name: General");
      }
    }
    return List.copyOf(spaces.values());
  }

  private void readOne(ObjectNode space, String pointer) {
    space.fieldNames().forEachRemaining(key -> checkKey(key, pointer));
    String name = space.path("name").asText("");
    if (name.isBlank()) {
      refusals.add(pointer + "/name", "is missing", "every space has a name: - name: General");
      return;
    }
    List<String> members = members(space.path("members"), pointer + "/members");
    ObjectNode config = space.deepCopy();
    config.remove("members");
    if (!config.has("kind")) {
      config.put("kind", "public");
    }
    var declared = new DeclaredSpace(pointer, id(config, members), config, members);
    DeclaredSpace other = spaces.putIfAbsent(declared.id(), declared);
    if (other != null) {
      refusals.add(
          pointer,
          "would be %s, like %s".formatted(declared.id(), other.pointer()),
          "give one of them another id");
    }
  }

  private void checkKey(String key, String pointer) {
    if (!KEYS.contains(key)) {
      refusals.add(
          pointer + "/" + key.replace("~", "~0").replace("/", "~1"),
          "is not a key of a space",
          "a space has name, id, kind, topic, wakePolicy, maxChainDepth and members");
    }
  }

  private List<String> members(JsonNode list, String pointer) {
    var members = new ArrayList<String>();
    boolean isList = list.isMissingNode() || list.isArray();
    if (!isList || list.valueStream().anyMatch(member -> !member.isTextual())) {
      refusals.add(pointer, "must be a list of handles and names", "members: [mira, ada]");
      return members;
    }
    list.forEach(member -> members.add(member.asText()));
    return members;
  }

  /// As the daemon makes it.
  private static String id(ObjectNode config, List<String> members) {
    if (config.path("kind").asText().equals("dm")) {
      return "dm-" + String.join("-", members.stream().sorted().toList());
    }
    return config.path("id").asText(Handle.slug(config.path("name").asText()));
  }
}
