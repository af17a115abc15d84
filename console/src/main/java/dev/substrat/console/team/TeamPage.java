package dev.substrat.console.team;

import dev.substrat.console.PageFrame;
import dev.substrat.console.SlotUse;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Team page: diagrams of all teams, and details of the chosen agent.
public record TeamPage(
    PageFrame frame,
    Instant now,
    SlotUse slots,
    List<TeamDiagram> teams,
    List<TeamNode> singleAgents,
    TeamSearch search,
    long total,
    @Nullable AgentDetail chosen)
    implements View {

  /// `missed` is a query without a match, or empty; `open` the handle of the expanded agent, or
  /// empty; `next` the position of the next teams, or empty; `names` are suggestions by handle.
  public record TeamSearch(String missed, String open, String next, Map<String, String> names) {}

  /// Path of the page without details.
  public String here() {
    return search.open().isEmpty() ? "/team" : "/team?open=" + search.open();
  }

  /// Not while the details of the last, just terminated agent are open.
  public boolean isFirstVisit() {
    return total == 0 && chosen == null;
  }

  public long shown() {
    return teams.stream().mapToLong(team -> team.nodes().size()).sum() + singleAgents.size();
  }

  /// Event types that refresh the page.
  public String eventTypes() {
    return "agent_created agent_updated agent_terminated agent_gated agent_ungated turn_started"
        + " turn_ended message_sent message_replied message_dead inbox_read pending_call"
        + " tool_called budget_exhausted budget_set";
  }

  @Override
  public String template() {
    return "team/show";
  }
}
