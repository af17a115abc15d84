package dev.substrat.page;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.console.agents.Choices;
import dev.substrat.console.agents.Choices.Choice;
import dev.substrat.console.agents.Choices.ProviderChoice;
import dev.substrat.engine.Engine;
import dev.substrat.json.Schema;
import dev.substrat.limit.Limits;
import dev.substrat.team.Agent;
import dev.substrat.team.SkillCategory;
import dev.substrat.team.Tree;
import java.util.List;

/// What there is to choose from when an agent is made.
final class Offer {
  static final List<String> DEFAULT_TOOLSETS = List.of("team", "spaces", "memory", "goals");

  private static final List<Choice> TOOLSETS =
      List.of(
          new Choice("team", "write to teammates, spawn and inspect agents"),
          new Choice("spaces", "enter spaces, talk and read there"),
          new Choice("channels", "post to channels by name, react"),
          new Choice("memory", "keep blocks and passages, search them"),
          new Choice("goals", "goals and plans that wake it"));

  private final Engine engine;

  Offer(Engine engine) {
    this.engine = engine;
  }

  Choices choices() {
    return new Choices(
        engine.providers().all().stream()
            .map(one -> new ProviderChoice(one.name(), one.models(), ""))
            .toList(),
        engine.ground().database().read(Tree::list).stream().map(Agent::handle).toList(),
        TOOLSETS,
        SkillCategory.COLOURS,
        limits());
  }

  /// As the schema of configurations tells them.
  private static List<Choice> limits() {
    JsonNode known = Schema.ofRecord(Limits.class).json().path("properties");
    return known
        .propertyStream()
        .map(one -> new Choice(one.getKey(), one.getValue().path("description").asText()))
        .toList();
  }
}
