package dev.substrat.server.console.agents;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.access.limit.AgentLimits;
import dev.substrat.console.agents.BuilderOptions;
import dev.substrat.console.agents.BuilderOptions.LimitOption;
import dev.substrat.console.agents.BuilderOptions.NamedOption;
import dev.substrat.console.agents.BuilderOptions.ProviderOption;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.provider.ProviderProbe;
import dev.substrat.server.console.health.ProviderProbes;
import dev.substrat.team.SkillCategory;
import dev.substrat.team.ToolsetName;
import dev.substrat.turn.engine.Engine;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Builds the options of the agent builder.
final class BuilderChoices {
  /// Maximum number of suggested parents; others can be typed.
  private static final int PARENTS = 200;

  private static final Map<String, String> LABELS =
      Map.ofEntries(
          entry("messagesPerMinute", "Messages per minute"),
          entry("callsPerMinute", "Calls per minute and tool"),
          entry("maxCallsPerTurn", "Calls per turn"),
          entry("maxMessagesPerTurn", "Messages per turn"),
          entry("maxStepsPerTurn", "Steps per turn"),
          entry("maxTokensPerTurn", "Tokens per turn"),
          entry("maxChildren", "Active child agents"),
          entry("maxDepth", "Depth of the agent tree"),
          entry("maxAgents", "Agents in its team"),
          entry("maxTurnSeconds", "Seconds per turn"),
          entry("budgetUsd", "Budget in dollars"),
          entry("budgetTokens", "Budget in tokens"),
          entry("budgetTurns", "Budget in turns"),
          entry("budgetSeconds", "Budget in seconds"));

  private final Engine engine;
  private final TemplateChoices patterns;
  private final ProviderProbes probes;

  BuilderChoices(Engine engine, TemplateChoices patterns) {
    this.engine = engine;
    this.patterns = patterns;
    this.probes = new ProviderProbes(engine.providers(), engine.dependencies().clock());
  }

  BuilderOptions choices() {
    Map<String, ProviderProbe> known = probes.known();
    return new BuilderOptions(
        engine.providers().all().stream()
            .map(
                one -> new ProviderOption(one.name(), one.models(), problem(known.get(one.name()))))
            .toList(),
        engine.read(tx -> List.copyOf(AgentList.called(tx, "", PARENTS).keySet())),
        Stream.of(ToolsetName.values())
            .map(one -> new NamedOption(one.word(), one.meaning()))
            .toList(),
        SkillCategory.COLOURS,
        limits(),
        patterns.templates());
  }

  /// Display name of a limit.
  static String label(String limit) {
    return LABELS.getOrDefault(limit, limit);
  }

  /// A provider that has not answered yet counts as ready.
  private static String problem(@Nullable ProviderProbe probe) {
    return probe == null || probe.state() == ProviderProbe.ProviderState.READY
        ? ""
        : probe.detail();
  }

  /// Limits and their descriptions from the JSON Schema of the configuration.
  private static List<LimitOption> limits() {
    JsonNode known = JsonSchema.ofRecord(AgentLimits.class).json().path("properties");
    return known
        .propertyStream()
        .map(one ->
            new LimitOption(
                one.getKey(), label(one.getKey()), one.getValue().path("description").asText()))
        .toList();
  }
}
