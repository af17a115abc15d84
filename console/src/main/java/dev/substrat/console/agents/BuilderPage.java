package dev.substrat.console.agents;

import dev.substrat.console.Frame;
import dev.substrat.console.View;
import org.jspecify.annotations.Nullable;

/// Where an agent is made, or made different. `rest` is what a new one begins with, as JSON, for
/// what the form has no field for; `agent` is the one that is there already, with a place to try
/// it.
public record BuilderPage(
    Frame frame,
    Draft draft,
    Wrong wrong,
    Choices choices,
    Preview preview,
    String rest,
    @Nullable AgentPage agent)
    implements View {

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
