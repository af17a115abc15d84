package dev.substrat.console.team;

import dev.substrat.console.Meter;
import dev.substrat.console.agents.AgentCard;
import dev.substrat.console.agents.Happening;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One agent, looked at more closely: who is around it, what it is doing, what it may still use.
/// `run` leads to the turn under way, if there is one; `ending` says who ends if it is terminated.
public record Closer(
    AgentCard agent,
    @Nullable Near parent,
    List<Near> children,
    List<Near> waitsFor,
    List<Near> waitedForBy,
    @Nullable String run,
    boolean isPaused,
    boolean isExternal,
    List<Meter> budgets,
    List<Happening> happenings,
    String ending) {

  /// Somebody near it; the path is empty for people.
  public record Near(String name, String path) {}

  public String path() {
    return "/team/" + agent.handle();
  }
}
