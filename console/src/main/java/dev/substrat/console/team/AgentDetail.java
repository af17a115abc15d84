package dev.substrat.console.team;

import dev.substrat.console.UsageMeter;
import dev.substrat.console.agents.ActivityEntry;
import dev.substrat.console.agents.AgentCard;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Details of an agent: relatives, state, budgets, activity. `run` links to the running turn, if
/// any; `ending` lists the agents that a termination ends.
public record AgentDetail(
    AgentCard agent,
    @Nullable RelatedPrincipal parent,
    List<RelatedPrincipal> children,
    List<RelatedPrincipal> waitsFor,
    List<RelatedPrincipal> waitedForBy,
    @Nullable String run,
    boolean isPaused,
    boolean isExternal,
    List<UsageMeter> budgets,
    List<ActivityEntry> activity,
    String terminationText) {

  /// A related agent or person; the path is empty for people.
  public record RelatedPrincipal(String name, String path) {}

  public String path() {
    return "/team/" + agent.handle();
  }
}
