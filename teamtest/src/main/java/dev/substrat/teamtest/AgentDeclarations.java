package dev.substrat.teamtest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.access.budget.BudgetCaps;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.platform.json.Yaml;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.provider.scripted.PlaybookToolCheck;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.turn.engine.Engine;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/// Makes agents from YAML, as people write it for a daemon.
final class AgentDeclarations {
  private static final JsonSchema AGENT = JsonSchema.ofRecord(AgentConfig.class);

  private final Engine engine;
  private final SpaceReader rooms;
  private final @Nullable JsonNode chaos;

  AgentDeclarations(Engine engine, SpaceReader rooms, @Nullable String chaos) {
    this.engine = engine;
    this.rooms = rooms;
    this.chaos = chaos == null ? null : parse(chaos);
  }

  /// A whole team: `agents`, or just their list, each with its `children` or its `parent`; and its
  /// `spaces`.
  void apply(String yaml) {
    JsonNode tree = parse(yaml);
    JsonNode agents = tree.isObject() ? tree.path("agents") : tree;
    JsonNode spaces = tree.path("spaces");
    int lists = spaces.isArray() ? 2 : 1;
    if (!agents.isArray() || (tree.isObject() && tree.size() != lists)) {
      throw invalid(
          "a team is `agents:` with a list of agents, perhaps `spaces:` with one of spaces, and"
              + " nothing else",
          null);
    }
    new TeamValidation(this::prepared).read(agents, "/agents");
    agents.forEach(agent -> create(agent, null));
    spaces.forEach(rooms::create);
  }

  String space(String yaml) {
    return rooms.create(parse(yaml));
  }

  /// What is wanted, checked as far as it can be without making it.
  private AgentConfig prepared(ObjectNode wish) {
    AGENT.require(wish);
    AgentConfig config = engine.providers().prepare(Json.as(wish, AgentConfig.class));
    new PlaybookToolCheck(engine.toolbox().inputs(config)).require(config);
    BudgetCaps.of(config.limitsOrDefault()).amounts();
    return config;
  }

  /// One agent, with its `children` if it has some.
  Agent agent(String yaml) {
    return create(parse(yaml), null);
  }

  private Agent create(JsonNode json, @Nullable String parent) {
    if (!(json instanceof ObjectNode object)) {
      throw invalid("an agent is a mapping with at least a name", null);
    }
    ObjectNode wish = object.deepCopy();
    JsonNode children = wish.path("children");
    wish.remove("children");
    if (parent != null) {
      wish.put("parent", parent);
    }
    if (chaos != null) {
      unsettle(wish, chaos);
    }
    Agent agent = engine.agents().create(prepared(wish));
    children.forEach(child -> create(child, agent.id().value()));
    return agent;
  }

  /// Scripted agents without chaos of their own get the team's.
  private static void unsettle(ObjectNode agent, JsonNode chaos) {
    ObjectNode mind =
        agent.path("provider") instanceof ObjectNode given
            ? given
            : agent.putObject("provider").put("name", "scripted");
    if (mind.path("name").asText().equals("scripted") && !mind.has("chaos")) {
      mind.set("chaos", chaos);
    }
  }

  private static JsonNode parse(String yaml) {
    try {
      return Yaml.own(yaml);
    } catch (UncheckedIOException e) {
      throw invalid("this is not valid YAML: " + e.getCause(), e);
    }
  }

  private static Fault invalid(String message, @Nullable Throwable cause) {
    return new Fault(
        ErrorCode.INVALID_CONFIG, message, "docs/testing-teams.md has an example", cause);
  }
}
