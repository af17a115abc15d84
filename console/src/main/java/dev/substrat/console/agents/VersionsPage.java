package dev.substrat.console.agents;

import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;

/// Versions of an agent, and the diff of the chosen one.
public record VersionsPage(
    PageFrame frame,
    Instant now,
    String name,
    String path,
    List<VersionSummary> versions,
    long chosen,
    List<TextDiff.DiffLine> difference)
    implements View {

  public record VersionSummary(long number, Instant at, String author, String changed) {}

  /// The newest version is the current one and cannot be restored.
  public boolean canRestore() {
    return !versions.isEmpty() && chosen != versions.getFirst().number();
  }

  @Override
  public String template() {
    return "agents/versions";
  }
}
