package dev.substrat.page;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.console.agents.Choices;
import dev.substrat.console.agents.Choices.Choice;
import dev.substrat.console.agents.Choices.ProviderChoice;
import dev.substrat.engine.Engine;
import dev.substrat.json.Schema;
import dev.substrat.limit.Limits;
import dev.substrat.team.SkillCategory;
import dev.substrat.team.ToolsetName;
import java.util.List;
import java.util.stream.Stream;

/// What there is to choose from when an agent is made.
final class Offer {
  /// Those that are offered; any other can be typed.
  private static final int PARENTS = 200;

  private final Engine engine;
  private final Patterns patterns;

  Offer(Engine engine, Patterns patterns) {
    this.engine = engine;
    this.patterns = patterns;
  }

  Choices choices() {
    return new Choices(
        engine.providers().all().stream()
            .map(one -> new ProviderChoice(one.name(), one.models(), ""))
            .toList(),
        engine.ground().database().read(tx -> List.copyOf(Roster.called(tx, "", PARENTS).keySet())),
        Stream.of(ToolsetName.values()).map(one -> new Choice(one.word(), one.meaning())).toList(),
        SkillCategory.COLOURS,
        limits(),
        patterns.templates());
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
