package dev.substrat.console.team;

import dev.substrat.console.agents.AgentCard;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An agent in the team diagram: its parent, and the agents that owe it a reply, by id. `waitsFor`
/// has their names, and `open` is the handle of the expanded agent, or empty.
public record TeamNode(
    AgentCard agent,
    @Nullable String parentId,
    List<String> asked,
    String waitsFor,
    boolean isChosen,
    String open) {

  public String path() {
    return "/team?who=" + agent.handle() + (open.isEmpty() ? "" : "&open=" + open);
  }

  /// Text for screen readers.
  public String words() {
    return agent.displayName()
        + ", "
        + agent.condition().label()
        + (agent.waiting() > 0 ? ", " + agent.waiting() + " in its inbox" : "")
        + (agent.approvals() > 0 ? ", " + agent.approvals() + " open approvals" : "")
        + (waitsFor.isEmpty() ? "" : ", waits for " + waitsFor);
  }
}
