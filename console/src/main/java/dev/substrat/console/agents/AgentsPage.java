package dev.substrat.console.agents;

import dev.substrat.console.NumberText;
import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;

/// All agents, or those somebody looks for, and what happens among them. `next` is the agent behind
/// which the next page begins, empty if there is none. `asksForEnded` if somebody wants to see
/// those who have ended: otherwise they are shown only where nobody else is found.
public record AgentsPage(
    PageFrame frame,
    Instant now,
    Search search,
    List<AgentCard> agents,
    String next,
    long total,
    List<ActivityEntry> happenings,
    boolean asksForEnded)
    implements View {

  /// What is looked for, in which order it is shown, and behind which agent it begins. `hasEnded`
  /// if those are looked for, too, who have ended.
  public record Search(String words, Order order, String after, boolean hasEnded) {
    public Search withEnded() {
      return new Search(words, order, after, true);
    }
  }

  public enum Order {
    NAME("Name"),
    ACTIVE("Last active"),
    WAITING("Unread messages");

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

  /// Those who have ended are all that was found.
  public boolean isOnlyPast() {
    return search.hasEnded() && !asksForEnded && !agents.isEmpty();
  }

  /// How many of how many; those who have ended are not counted among all.
  public String tally() {
    if (search.hasEnded()) {
      return NumberText.of(agents.size(), "agent") + ", including terminated";
    }
    String all = NumberText.of(total, "agent");
    return agents.size() < total ? NumberText.count(agents.size()) + " of " + all : all;
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
