package dev.substrat.console.agents;

import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import org.jspecify.annotations.Nullable;

/// Page of the agent builder. `agent` is the edited agent, or null for a new one.
public record BuilderPage(
    PageFrame frame,
    AgentDraft draft,
    DraftProblems problems,
    BuilderOptions choices,
    DraftPreview preview,
    StartingPoint startingPoint,
    @Nullable AgentPage agent)
    implements View {

  /// Source of a new agent: `rest` are the keys without a form field, as JSON, `like` is the handle
  /// of the cloned agent, `pasted` an import that could not be parsed; each may be empty.
  public record StartingPoint(String rest, String like, String pasted) {
    public static final StartingPoint NOTHING = new StartingPoint("", "", "");
  }

  public String title() {
    if (agent != null) {
      return "Edit " + agent.agent().displayName();
    }
    return startingPoint.like().isEmpty() ? "New agent" : "Clone of @" + startingPoint.like();
  }

  public boolean isNew() {
    return agent == null;
  }

  public String path() {
    return agent == null ? "/agents/new" : agent.path() + "/edit";
  }

  public String previewPath() {
    return agent == null ? "/agents/preview" : agent.path() + "/preview";
  }

  @Override
  public String template() {
    return "agents/builder";
  }
}
