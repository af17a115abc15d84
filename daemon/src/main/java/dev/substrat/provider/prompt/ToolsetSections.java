package dev.substrat.provider.prompt;

import dev.substrat.space.TurnSpace;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Prompt sections that depend on the agent's toolsets; sections that change least come first.
final class ToolsetSections {
  private ToolsetSections() {}

  static List<String> of(Tx tx, Agent agent, @Nullable TurnSpace turn) {
    return Stream.of(
            SpacesSection.section(tx, agent, turn),
            MemorySection.of(tx, agent).text(agent),
            goals(tx, agent),
            plans(tx, agent))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<String> goals(Tx tx, Agent agent) {
    return has(agent, "goals") ? GoalSection.of(tx, agent) : Optional.empty();
  }

  private static Optional<String> plans(Tx tx, Agent agent) {
    return has(agent, "goals") ? PlanSection.of(tx, agent) : Optional.empty();
  }

  private static boolean has(Agent agent, String toolset) {
    return agent.config().toolsetsOrDefault().contains(toolset);
  }
}
