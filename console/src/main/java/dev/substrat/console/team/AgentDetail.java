package dev.substrat.console.team;

import dev.substrat.console.UsageMeter;
import dev.substrat.console.agents.ActivityEntry;
import dev.substrat.console.agents.AgentCard;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One agent, looked at more closely: who is around it, what it is doing, what it may still use.
/// `run` leads to the turn under way, if there is one; `ending` says who ends if it is terminated.
public record AgentDetail(
    AgentCard agent,
    @Nullable Relatives parent,
    List<Relatives> children,
    List<Relatives> waitsFor,
    List<Relatives> waitedForBy,
    @Nullable String run,
    boolean isPaused,
    boolean isExternal,
    List<UsageMeter> budgets,
    List<ActivityEntry> happenings,
    String ending) {

  /// Somebody near it; the path is empty for people.
  public record Relatives(String name, String path) {}

  public String path() {
    return "/team/" + agent.handle();
  }
}
