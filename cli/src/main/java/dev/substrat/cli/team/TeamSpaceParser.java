package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.protocol.Handle;
import dev.substrat.protocol.SpellingSuggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Parses the spaces of a team file and collects their errors.
final class TeamSpaceParser {
  private static final List<String> KEYS =
      List.of("name", "id", "kind", "topic", "wakePolicy", "maxChainDepth", "members");

  private final TeamFileProblems refusals;
  private final Map<String, DeclaredSpace> spaces = new LinkedHashMap<>();

  TeamSpaceParser(TeamFileProblems refusals) {
    this.refusals = refusals;
  }

  List<DeclaredSpace> read(JsonNode list) {
    if (!list.isMissingNode() && !list.isArray()) {
      refusals.add("/spaces", "must be a list", "for example - name: General");
      return List.of();
    }
    for (int i = 0; i < list.size(); i++) {
      String pointer = "/spaces/" + i;
      if (list.get(i) instanceof ObjectNode space) {
        readOne(space, pointer);
      } else {
        refusals.add(pointer, "must be a space", "for example - name: General");
      }
    }
    return List.copyOf(spaces.values());
  }

  private void readOne(ObjectNode space, String pointer) {
    space.fieldNames().forEachRemaining(key -> checkKey(key, pointer));
    List<String> members = members(space.path("members"), pointer + "/members");
    ObjectNode config = space.deepCopy().retain(KEYS);
    config.remove("members");
    if (!config.has("kind")) {
      config.put("kind", "public");
    }
    boolean isDm = config.path("kind").asText().equals("dm");
    if (isDm && members.size() == 1) {
      members.add(Handle.OPERATOR);
    }
    if (!isDm && config.path("name").asText("").isBlank()) {
      refusals.add(pointer + "/name", "is missing", "every space needs a name: - name: General");
      return;
    }
    var declared = new DeclaredSpace(pointer, id(config, members), config, members);
    if (isDm && !config.has("name")) {
      config.put("name", declared.id());
    }
    // Handles may contain dashes, so two pairs may have the same id.
    String key = isDm ? String.join(" ", members.stream().sorted().toList()) : declared.id();
    DeclaredSpace other = spaces.putIfAbsent(key, declared);
    if (other != null) {
      refusals.add(
          pointer,
          "would have the same id %s as %s".formatted(declared.id(), other.pointer()),
          isDm ? "two members share a single DM" : "give one of them another id");
    }
  }

  private void checkKey(String key, String pointer) {
    if (!KEYS.contains(key)) {
      refusals.add(
          pointer + "/" + TeamFileProblems.escaped(key),
          "is not a key of a space" + SpellingSuggestion.suggestionSuffix(key, KEYS),
          "use one of " + String.join(", ", KEYS));
    }
  }

  private List<String> members(JsonNode list, String pointer) {
    var members = new ArrayList<String>();
    boolean isList = list.isMissingNode() || list.isArray();
    if (!isList || list.valueStream().anyMatch(member -> !member.isTextual())) {
      refusals.add(
          pointer, "must be a list of handles and names", "for example members: [mira, ana]");
      return members;
    }
    list.forEach(member -> members.add(member.asText()));
    return members;
  }

  /// The id that the daemon derives. For a DM it depends only on the two members.
  private static String id(ObjectNode config, List<String> members) {
    if (config.path("kind").asText().equals("dm")) {
      return "dm-" + String.join("-", members.stream().sorted().toList());
    }
    return config.path("id").asText(Handle.slug(config.path("name").asText()));
  }
}
