package dev.substrat.console.agents;

import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import org.jspecify.annotations.Nullable;

/// Where an agent is made, or made different. `agent` is the one that is there already, with a
/// place to try it.
public record BuilderPage(
    PageFrame frame,
    AgentDraft draft,
    DraftProblems wrong,
    BuilderOptions choices,
    DraftPreview preview,
    StartingPoint beginning,
    @Nullable AgentPage agent)
    implements View {

  /// What a new agent begins with: `rest` is what the form has no field for, as JSON, `like` whose
  /// clone it is, `pasted` what somebody brought that could not be read; each may be empty.
  public record StartingPoint(String rest, String like, String pasted) {
    public static final StartingPoint NOTHING = new StartingPoint("", "", "");
  }

  public String title() {
    if (agent != null) {
      return "Edit " + agent.agent().called();
    }
    return beginning.like().isEmpty() ? "New agent" : "Clone of @" + beginning.like();
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
