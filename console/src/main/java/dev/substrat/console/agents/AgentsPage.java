package dev.substrat.console.agents;

import dev.substrat.console.Frame;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;

/// All agents, or those somebody looks for, and what happens among them. `next` is the agent behind
/// which the next page begins, empty if there is none.
public record AgentsPage(
    Frame frame,
    Instant now,
    Search search,
    List<AgentCard> agents,
    String next,
    long total,
    List<Happening> happenings)
    implements View {

  /// What is looked for, in which order it is shown, and behind which agent it begins.
  public record Search(String words, Order order, String after) {}

  public enum Order {
    NAME("Name"),
    ACTIVE("Last active"),
    WAITING("Most mail");

    private final String title;

    Order(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }
  }

  /// Nobody is here yet: time for a welcome.
  public boolean isFirstVisit() {
    return total == 0;
  }

  /// What may change what is shown.
  public String concerns() {
    return "agent_created agent_updated agent_terminated agent_gated agent_ungated turn_started turn_ended "
        + "message_sent message_dead pending_call tool_called budget_low budget_exhausted budget_set run_forked";
  }

  @Override
  public String template() {
    return "agents/list";
  }
}
