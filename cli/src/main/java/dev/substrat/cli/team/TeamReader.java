package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.protocol.Handle;
import dev.substrat.protocol.Spelling;
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

/// Turns the text of a team file into the agents it declares, and notes everything that is wrong.
///
/// Only what makes it a team is looked at here: names, places, files beside it. The daemon knows
/// what else a configuration may hold, and is asked before anything is done.
final class TeamReader {
  private static final Set<String> KEYS = Set.of("agents", "spaces");

  /// Part of the contract, but nothing the daemon could be told yet.
  private static final Set<String> LATER = Set.of("tools", "mcp");

  private final Path folder;
  private final Refusals refusals;
  private final Map<String, Declared> agents = new LinkedHashMap<>();
  private final List<Declared> everyone = new ArrayList<>();

  private TeamReader(Path folder, Refusals refusals) {
    this.folder = folder;
    this.refusals = refusals;
  }

  static TeamFile read(String source, ObjectNode tree, Path folder) {
    var refusals = new Refusals(source);
    var reader = new TeamReader(folder, refusals);
    tree.fieldNames().forEachRemaining(reader::checkKey);
    if (tree.has("agents")) {
      reader.readAll(tree.path("agents"), "/agents", null);
    } else if (!tree.has("spaces")) {
      reader.wrong("/agents", "is missing", "a team file is a list of agents under agents:");
    }
    reader.checkSiblings();
    reader.checkCycles();
    var spaces = new SpaceReader(refusals).read(tree.path("spaces"));
    return new TeamFile(source, reader.agents, reader.everyone, spaces, refusals);
  }

  private void checkKey(String key) {
    if (LATER.contains(key)) {
      wrong(
          "/" + key,
          "cannot be declared yet",
          "this version knows agents and spaces: take %s out of the file".formatted(key));
    } else if (!KEYS.contains(key)) {
      wrong(
          "/" + key.replace("~", "~0").replace("/", "~1"),
          "is not a key of a team file" + Spelling.aside(key, KEYS),
          "a team file has the keys agents and spaces; docs/team-files.md shows its form");
    }
  }

  private void readAll(JsonNode list, String pointer, @Nullable String parent) {
    if (!list.isArray()) {
      wrong(pointer, "must be a list", "start each agent with a dash: - name: mira");
      return;
    }
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) instanceof ObjectNode agent) {
        readOne(agent, pointer + "/" + i, parent);
      } else {
        wrong(pointer + "/" + i, "must be an agent", "write keys and values: - name: mira");
      }
    }
  }

  private void readOne(ObjectNode agent, String pointer, @Nullable String above) {
    Optional<String> name = text(agent, pointer, "name");
    Optional<String> given = text(agent, pointer, "handle");
    Optional<String> reference = text(agent, pointer, "parent");
    if (name.isEmpty() && !agent.has("name")) {
      wrong(pointer + "/name", "is missing", "every agent has a name: - name: mira");
    }
    if (above != null && reference.isPresent()) {
      wrong(
          pointer + "/parent",
          "is said twice: it already stands under " + above,
          "leave parent out, or move the agent out of children");
    }
    String handle = given.orElseGet(() -> Handle.of(name.orElse("")));
    ObjectNode config = agent.deepCopy();
    config.remove("children");
    config.remove("parent");
    locatePlaybook(config);
    var declared =
        new Declared(
            pointer,
            name.orElse(""),
            handle,
            given.isPresent(),
            above == null ? reference.orElse(null) : above,
            config);
    everyone.add(declared);
    if (name.isPresent()) {
      add(declared);
    }
    if (agent.has("children")) {
      readAll(agent.path("children"), pointer + "/children", handle);
    }
  }

  private Optional<String> text(ObjectNode agent, String pointer, String key) {
    JsonNode value = agent.path(key);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isTextual() || value.asText().isBlank()) {
      wrong(pointer + "/" + key, "must be a text", "put it in quotes: " + key + ": \"…\"");
      return Optional.empty();
    }
    return Optional.of(value.asText());
  }

  /// A path in the file means what it means to its author; the daemon may run anywhere.
  private void locatePlaybook(ObjectNode config) {
    if (config.path("provider") instanceof ObjectNode provider
        && provider.path("playbookFile").isTextual()) {
      Path file = folder.resolve(provider.path("playbookFile").asText());
      provider.put("playbookFile", file.normalize().toString());
    }
  }

  private void add(Declared agent) {
    Declared other = agents.putIfAbsent(agent.handle(), agent);
    if (other != null) {
      wrong(
          agent.pointer(),
          "would be called %s, like %s".formatted(agent.handle(), other.pointer()),
          "give one of them another handle: %s-2, for instance".formatted(agent.handle()));
    }
  }

  private void checkSiblings() {
    var places = new HashMap<String, Declared>();
    for (Declared agent : agents.values()) {
      if (agent.parent() != null) {
        String place = agent.parent() + " " + agent.name().toLowerCase(Locale.ROOT);
        Declared other = places.putIfAbsent(place, agent);
        if (other != null) {
          wrong(
              agent.pointer() + "/name",
              "is also that of %s, under the same parent".formatted(other.pointer()),
              "names are addresses: choose another");
        }
      }
    }
  }

  private void checkCycles() {
    for (Declared agent : agents.values()) {
      var path = new LinkedHashSet<String>();
      Declared next = agent;
      while (next != null && path.add(next.handle())) {
        next = next.parent() == null ? null : agents.get(next.parent());
      }
      if (agent.equals(next)) {
        wrong(
            agent.pointer() + "/parent",
            "runs in a circle: %s → %s".formatted(String.join(" → ", path), agent.handle()),
            "one of them must report to somebody else, or to nobody");
        return;
      }
    }
  }

  private void wrong(String pointer, String message, String hint) {
    refusals.add(pointer, message, hint);
  }
}
