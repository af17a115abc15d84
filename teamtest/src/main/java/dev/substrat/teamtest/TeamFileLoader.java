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

/// Creates agents and spaces from the YAML of a team file.
final class TeamFileLoader {
  private static final JsonSchema AGENT = JsonSchema.ofRecord(AgentConfig.class);

  private final Engine engine;
  private final SpaceReader spaceReader;
  private final @Nullable JsonNode chaos;

  TeamFileLoader(Engine engine, SpaceReader spaceReader, @Nullable String chaos) {
    this.engine = engine;
    this.spaceReader = spaceReader;
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
          "a team has only the keys `agents` (a list of agents) and `spaces` (a list, optional)",
          null);
    }
    new TeamValidation(this::prepared).read(agents, "/agents");
    agents.forEach(agent -> create(agent, null));
    spaces.forEach(spaceReader::create);
  }

  String space(String yaml) {
    return spaceReader.create(parse(yaml));
  }

  /// Parses and validates a configuration without creating the agent.
  private AgentConfig prepared(ObjectNode wish) {
    AGENT.require(wish);
    AgentConfig config = engine.providers().prepare(Json.as(wish, AgentConfig.class));
    new PlaybookToolCheck(engine.pipeline().inputs(config)).require(config);
    BudgetCaps.of(config.limitsOrDefault()).amounts();
    return config;
  }

  /// Creates one agent and its `children`.
  Agent agent(String yaml) {
    return create(parse(yaml), null);
  }

  private Agent create(JsonNode json, @Nullable String parent) {
    if (!(json instanceof ObjectNode object)) {
      throw invalid("an agent must be a mapping with at least a name", null);
    }
    ObjectNode wish = object.deepCopy();
    JsonNode children = wish.path("children");
    wish.remove("children");
    if (parent != null) {
      wish.put("parent", parent);
    }
    if (chaos != null) {
      addChaos(wish, chaos);
    }
    Agent agent = engine.agents().create(prepared(wish));
    children.forEach(child -> create(child, agent.id().value()));
    return agent;
  }

  /// Adds the team's chaos settings to scripted agents that have none.
  private static void addChaos(ObjectNode agent, JsonNode chaos) {
    ObjectNode provider =
        agent.path("provider") instanceof ObjectNode given
            ? given
            : agent.putObject("provider").put("name", "scripted");
    if (provider.path("name").asText().equals("scripted") && !provider.has("chaos")) {
      provider.set("chaos", chaos);
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
    return ErrorCode.INVALID_CONFIG.fault(
        message, "see the example in docs/testing-teams.md", cause);
  }
}
