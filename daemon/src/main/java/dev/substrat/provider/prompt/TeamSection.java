package dev.substrat.provider.prompt;

import dev.substrat.team.Agent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Prompt section with the agents that an agent can write to, and their relation to it.
record TeamSection(@Nullable Agent parent, List<Agent> siblings, List<Agent> children) {

  /// Groups the agents near `agent`, keeping their order.
  static TeamSection of(Agent agent, List<Agent> near) {
    @Nullable Agent parent =
        near.stream().filter(one -> one.id().equals(agent.parent())).findFirst().orElse(null);
    List<Agent> children = near.stream().filter(one -> agent.id().equals(one.parent())).toList();
    List<Agent> siblings =
        near.stream().filter(one -> !one.equals(parent) && !children.contains(one)).toList();
    return new TeamSection(parent, siblings, children);
  }
}
