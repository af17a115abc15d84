package dev.substrat.console.team;

import dev.substrat.console.agents.AgentCard;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An agent in its team: whom it reports to, and whose answers it waits for, by id. `waitsFor` has
/// the same in names, and `open` is the handle of the lead of whom everybody is shown, or empty.
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

  /// All that the picture shows of it, in one sentence.
  public String words() {
    return agent.called()
        + ", "
        + agent.condition().label()
        + (agent.waiting() > 0 ? ", " + agent.waiting() + " in its inbox" : "")
        + (agent.approvals() > 0 ? ", " + agent.approvals() + " open approvals" : "")
        + (waitsFor.isEmpty() ? "" : ", waits for " + waitsFor);
  }
}
