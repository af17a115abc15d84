package dev.substrat.console.team;

import dev.substrat.console.PageFrame;
import dev.substrat.console.SlotUse;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everybody, as they belong together, and a closer look at one of them.
public record TeamPage(
    PageFrame frame,
    Instant now,
    SlotUse slots,
    List<TeamDiagram> teams,
    List<TeamNode> alone,
    Search search,
    long total,
    @Nullable AgentDetail chosen)
    implements View {

  /// `missed` is whom somebody looked for and nobody is, or empty; `open` the handle of the lead of
  /// whom everybody is shown, or empty; `names` are names by handles, to choose from.
  public record Search(String missed, String open, Map<String, String> names) {}

  /// The picture without a closer look.
  public String here() {
    return search.open().isEmpty() ? "/team" : "/team?open=" + search.open();
  }

  /// Not for whoever looks at the last one while it ends.
  public boolean isFirstVisit() {
    return total == 0 && chosen == null;
  }

  public long shown() {
    return teams.stream().mapToLong(team -> team.nodes().size()).sum() + alone.size();
  }

  /// What may change what is shown.
  public String concerns() {
    return "agent_created agent_updated agent_terminated agent_gated agent_ungated turn_started turn_ended "
        + "message_sent message_replied message_dead inbox_read pending_call tool_called budget_exhausted budget_set";
  }

  @Override
  public String template() {
    return "team/show";
  }
}
