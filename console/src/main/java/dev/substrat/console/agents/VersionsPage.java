package dev.substrat.console.agents;

import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;

/// What an agent was like before, and what one change made different.
public record VersionsPage(
    PageFrame frame,
    Instant now,
    String name,
    String path,
    List<VersionLine> versions,
    long chosen,
    List<TextDiff.Line> difference)
    implements View {

  public record VersionLine(long number, Instant at, String author, String changed) {}

  /// The newest is what the agent is like: there is nothing to go back to.
  public boolean canRestore() {
    return !versions.isEmpty() && chosen != versions.getFirst().number();
  }

  @Override
  public String template() {
    return "agents/versions";
  }
}
