package dev.substrat.console.team;

import dev.substrat.console.Frame;
import dev.substrat.console.SlotUse;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Everybody, as they belong together, and a closer look at one of them.
public record TeamPage(
    Frame frame,
    Instant now,
    SlotUse slots,
    List<Picture> teams,
    List<Member> alone,
    long total,
    @Nullable Closer chosen)
    implements View {

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
