package dev.substrat.console.agents;

import dev.substrat.console.NumberFormatter;
import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;

/// List of agents with search and activity. `next` is the cursor of the next page, or empty.
/// `asksForEnded` if terminated agents are requested: otherwise they are shown only if no active
/// agent matches.
public record AgentsPage(
    PageFrame frame,
    Instant now,
    AgentSearch search,
    List<AgentCard> agents,
    String next,
    long total,
    List<ActivityEntry> activity,
    boolean includesTerminated)
    implements View {

  /// Query, sort order and cursor. `hasEnded` if terminated agents are included.
  public record AgentSearch(
      String words, AgentSortOrder order, String after, boolean includesTerminated) {
    public AgentSearch withEnded() {
      return new AgentSearch(words, order, after, true);
    }
  }

  public enum AgentSortOrder {
    NAME("Name"),
    ACTIVE("Last active"),
    WAITING("Unread messages");

    private final String title;

    AgentSortOrder(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }
  }

  /// Whether there are no agents yet.
  public boolean isFirstVisit() {
    return total == 0;
  }

  /// Whether only terminated agents match.
  public boolean isOnlyTerminated() {
    return search.includesTerminated() && !includesTerminated && !agents.isEmpty();
  }

  /// Number of agents shown and in total; the total excludes terminated agents.
  public String tally() {
    if (search.includesTerminated()) {
      return NumberFormatter.of(agents.size(), "agent") + ", including terminated";
    }
    String all = NumberFormatter.of(total, "agent");
    return agents.size() < total ? NumberFormatter.count(agents.size()) + " of " + all : all;
  }

  /// Event types that refresh the page.
  public String eventTypes() {
    return "agent_created agent_updated agent_terminated agent_gated agent_ungated turn_started turn_ended "
        + "message_sent message_dead pending_call tool_called budget_low budget_exhausted budget_set run_forked";
  }

  @Override
  public String template() {
    return "agents/list";
  }
}
