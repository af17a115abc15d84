package dev.substrat.inbox;

import dev.substrat.id.AgentId;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.List;

/// Mail that is due and that no turn has.
public final class Unclaimed {
  /// How many an agent is given at once when it looks; it can look again.
  private static final int AT_ONCE = 100;

  private static final String WHERE = "where agent_id = ? and turn_no is null and not_before <= ? ";

  private Unclaimed() {}

  /// Oldest first.
  public static List<InboxEvent> list(Tx tx, AgentId agent, Instant now) {
    return tx.list(
        Inbox.SELECT + WHERE + "order by id limit ?", Inbox::event, agent.value(), now, AT_ONCE);
  }

  public static long count(Tx tx, AgentId agent, Instant now) {
    return tx.number("select count(*) as n from inbox_event " + WHERE, agent.value(), now);
  }
}
