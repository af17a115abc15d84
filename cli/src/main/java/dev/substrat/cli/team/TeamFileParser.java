package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.Handle;
import dev.substrat.protocol.SpellingSuggestion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses a team file and collects its errors.
///
/// Checks only the structure of the team: names, positions, relative paths. The daemon validates
/// the configurations before anything is changed.
final class TeamFileParser {
  private static final List<String> KEYS = List.of("people", "agents", "sharedBlocks", "spaces");

  /// Keys of an agent that are not part of its configuration.
  private static final List<String> SNAPSHOT = List.of("memory", "goals", "plans");

  private static final List<String> OF_AGENT = List.of("children", "memory", "goals", "plans");

  private static final List<String> OF_BLOCK =
      List.of("label", "content", "description", "limit", "readOnly", "readers", "writers");

  private static final List<String> OF_PERSON = List.of("name", "displayName");

  /// Keys of the specification that the daemon does not support yet.
  private static final Set<String> LATER = Set.of("tools", "mcp");

  private final Path folder;
  private final TeamFileProblems refusals;
  private final Map<String, DeclaredAgent> agents = new LinkedHashMap<>();
  private final List<DeclaredAgent> everyone = new ArrayList<>();

  private TeamFileParser(Path folder, TeamFileProblems refusals) {
    this.folder = folder;
    this.refusals = refusals;
  }

  static TeamFile read(ObjectNode tree, Path folder, TeamFileProblems refusals) {
    var reader = new TeamFileParser(folder, refusals);
    tree.fieldNames().forEachRemaining(reader::checkKey);
    if (tree.has("agents")) {
      reader.readAll(tree.path("agents"), "/agents", null);
    } else if (KEYS.stream().noneMatch(tree::has)) {
      reader.wrong("/agents", "is missing", "list the agents under agents:");
    }
    List<TeamFile.DeclaredObject> people = reader.people(tree.path("people"));
    reader.checkSiblings();
    reader.checkCycles();
    return new TeamFile(
        reader.agents,
        reader.everyone,
        people,
        reader.sharedBlocks(tree.path("sharedBlocks")),
        new TeamSpaceParser(refusals).read(tree.path("spaces")),
        refusals);
  }

  private void checkKey(String key) {
    if (LATER.contains(key)) {
      wrong(
          "/" + key,
          "is not supported in a team file",
          "remove %2$s; a team file has the keys %1$s".formatted(String.join(", ", KEYS), key));
    } else if (!KEYS.contains(key)) {
      wrong(
          "/" + TeamFileProblems.escaped(key),
          "is not a key of a team file" + SpellingSuggestion.suggestionSuffix(key, KEYS),
          "use one of " + String.join(", ", KEYS));
    }
  }

  /// People by name. A person without other properties may be just the name.
  private List<TeamFile.DeclaredObject> people(JsonNode list) {
    var people = new LinkedHashMap<String, TeamFile.DeclaredObject>();
    if (!list.isMissingNode() && !list.isArray()) {
      wrong("/people", "must be a list", "for example people: [{name: ana}]");
    }
    for (int i = 0; i < list.size(); i++) {
      String pointer = "/people/" + i;
      JsonNode entry = list.get(i);
      ObjectNode body =
          entry instanceof ObjectNode object
              ? object.deepCopy()
              : JsonTree.object().put("name", entry.asText());
      if (!entry.isObject() && !entry.isTextual()) {
        wrong(pointer, "must be a person", "for example - name: ana");
        continue;
      }
      checkKeys(body, pointer, "person", OF_PERSON);
      if (body.has("displayName") && !body.path("displayName").isTextual()) {
        wrong(pointer + "/displayName", "must be a text", "for example displayName: Ana Lind");
      }
      if (!body.path("name").isTextual()) {
        wrong(pointer + "/name", "must be a text", "every person needs a name: - name: ana");
      } else {
        String name = body.path("name").asText();
        var person = new TeamFile.DeclaredObject(pointer, name, body);
        TeamFile.DeclaredObject other = people.putIfAbsent(name, person);
        if (other != null) {
          wrong(pointer, "has the same name %s as %s".formatted(name, other.pointer()), "");
        } else if (agents.containsKey(name)) {
          wrong(
              pointer,
              "has the same name %s as the agent at %s".formatted(name, agents.get(name).pointer()),
              "names are unique across people and agents: rename the person or the agent");
        }
      }
    }
    return List.copyOf(people.values());
  }

  private List<TeamFile.DeclaredObject> sharedBlocks(JsonNode list) {
    var blocks = new ArrayList<TeamFile.DeclaredObject>();
    if (!list.isMissingNode() && !list.isArray()) {
      wrong("/sharedBlocks", "must be a list", "for example - label: plan");
    }
    for (int i = 0; i < list.size(); i++) {
      String pointer = "/sharedBlocks/" + i;
      if (!(list.get(i) instanceof ObjectNode block)) {
        wrong(pointer, "must be a shared block", "for example - label: plan");
        continue;
      }
      checkKeys(block, pointer, "shared block", OF_BLOCK);
      blocks.add(
          new TeamFile.DeclaredObject(pointer, block.path("label").asText(""), block.deepCopy()));
    }
    return blocks;
  }

  private void checkKeys(ObjectNode part, String pointer, String what, List<String> keys) {
    part.fieldNames()
        .forEachRemaining(key -> {
          if (!keys.contains(key)) {
            wrong(
                pointer + "/" + TeamFileProblems.escaped(key),
                "is not a key of a " + what + SpellingSuggestion.suggestionSuffix(key, keys),
                "use one of " + String.join(", ", keys));
          }
        });
  }

  private void readAll(JsonNode list, String pointer, @Nullable String parent) {
    if (!list.isArray()) {
      wrong(pointer, "must be a list", "for example - name: mira");
      return;
    }
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) instanceof ObjectNode agent) {
        readOne(agent, pointer + "/" + i, parent);
      } else {
        wrong(pointer + "/" + i, "must be an agent", "for example - name: mira");
      }
    }
  }

  private void readOne(ObjectNode agent, String pointer, @Nullable String above) {
    Optional<String> name = text(agent, pointer, "name");
    Optional<String> given = text(agent, pointer, "handle");
    Optional<String> reference = text(agent, pointer, "parent");
    if (name.isEmpty() && !agent.has("name")) {
      wrong(pointer + "/name", "is missing", "every agent needs a name: - name: mira");
    }
    if (above != null && reference.isPresent()) {
      wrong(
          pointer + "/parent",
          "is given twice: the agent is already nested under " + above,
          "remove parent, or move the agent out of children");
    }
    String handle = given.orElseGet(() -> Handle.of(name.orElse("")));
    ObjectNode config = agent.deepCopy();
    config.remove("children");
    config.remove("parent");
    ObjectNode snapshot = agent.deepCopy().retain(SNAPSHOT);
    config.remove(SNAPSHOT);
    suggestKeys(agent, pointer);
    locatePlaybook(config);
    var declared =
        new DeclaredAgent(
            pointer,
            name.orElse(""),
            handle,
            given.isPresent(),
            above == null ? reference.orElse(null) : above,
            config,
            snapshot);
    everyone.add(declared);
    if (name.isPresent()) {
      add(declared);
    }
    if (agent.has("children")) {
      readAll(agent.path("children"), pointer + "/children", handle);
    }
  }

  /// The configuration for the daemon, without keys that only a file has.
  private void suggestKeys(ObjectNode agent, String pointer) {
    for (var entry : agent.properties()) {
      String key = entry.getKey();
      refusals.suggest(
          pointer + "/" + TeamFileProblems.escaped(key),
          SpellingSuggestion.suggestionSuffix(key, OF_AGENT));
    }
  }

  private Optional<String> text(ObjectNode agent, String pointer, String key) {
    JsonNode value = agent.path(key);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isTextual() || value.asText().isBlank()) {
      wrong(pointer + "/" + key, "must be a text", "put the text in quotes: " + key + ": \"…\"");
      return Optional.empty();
    }
    return Optional.of(value.asText());
  }

  /// Resolves paths relative to the file, because the daemon runs in another directory.
  private void locatePlaybook(ObjectNode config) {
    if (config.path("provider") instanceof ObjectNode provider
        && provider.path("playbookFile").isTextual()) {
      Path file = folder.resolve(provider.path("playbookFile").asText());
      provider.put("playbookFile", file.normalize().toString());
    }
  }

  private void add(DeclaredAgent agent) {
    DeclaredAgent other = agents.putIfAbsent(agent.handle(), agent);
    if (other != null) {
      wrong(
          agent.pointer(),
          "would have the same handle %s as %s".formatted(agent.handle(), other.pointer()),
          "give one of the agents another handle, for example %s-2".formatted(agent.handle()));
    }
  }

  private void checkSiblings() {
    var places = new HashMap<String, DeclaredAgent>();
    for (DeclaredAgent agent : agents.values()) {
      if (agent.parent() != null) {
        String place = agent.parent() + " " + agent.name().toLowerCase(Locale.ROOT);
        DeclaredAgent other = places.putIfAbsent(place, agent);
        if (other != null) {
          wrong(
              agent.pointer() + "/name",
              "is the same as that of %s, under the same parent".formatted(other.pointer()),
              "names of siblings are unique: choose another name");
        }
      }
    }
  }

  private void checkCycles() {
    for (DeclaredAgent agent : agents.values()) {
      var path = new LinkedHashSet<String>();
      DeclaredAgent next = agent;
      while (next != null && path.add(next.handle())) {
        next = next.parent() == null ? null : agents.get(next.parent());
      }
      if (agent.equals(next)) {
        wrong(
            agent.pointer() + "/parent",
            "forms a cycle: %s → %s".formatted(String.join(" → ", path), agent.handle()),
            "give one of these agents another parent, or no parent");
        return;
      }
    }
  }

  private void wrong(String pointer, String message, String hint) {
    refusals.add(pointer, message, hint);
  }

  /// Parses the spaces of a team file and collects their errors.
  private static final class TeamSpaceParser {
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
            isDm ? "two members share a single DM" : "give one of the spaces another id");
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
}
