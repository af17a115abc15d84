package dev.substrat.inbox;

import dev.substrat.id.AgentId;
import dev.substrat.id.Principal;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Mail that is due and that no turn has.
public final class Unclaimed {
  /// How many an agent is given at once when it looks; it can look again.
  public static final int AT_ONCE = 100;

  private static final String WHERE = "where agent_id = ? and turn_no is null and not_before <= ? ";

  private Unclaimed() {}

  public static List<InboxEvent> list(
      Tx tx, AgentId agent, Instant now, Predicate<InboxEvent> wanted) {
    return list(tx, agent, now, wanted, AT_ONCE);
  }

  /// The oldest of it that is wanted, however much else there is.
  public static List<InboxEvent> list(
      Tx tx, AgentId agent, Instant now, Predicate<InboxEvent> wanted, int limit) {
    var found = new ArrayList<InboxEvent>();
    String last = "";
    boolean isMore = true;
    while (isMore && found.size() < limit) {
      List<InboxEvent> page = page(tx, agent, now, last);
      page.stream().filter(wanted).limit(limit - found.size()).forEach(found::add);
      isMore = page.size() == AT_ONCE;
      last = page.isEmpty() ? last : page.getLast().id();
    }
    return found;
  }

  private static List<InboxEvent> page(Tx tx, AgentId agent, Instant now, String after) {
    return tx.list(
        Inbox.SELECT + WHERE + "and id > ? order by id limit ?",
        Inbox::event,
        agent.value(),
        now,
        after,
        AT_ONCE);
  }

  /// The oldest `limit` of what a person wrote and of what the daemon has to tell.
  public static List<InboxEvent> urgent(Tx tx, AgentId agent, Instant now, int limit) {
    return tx.list(
        Inbox.SELECT
            + WHERE
            + """
            and (kind = 'notice' or (kind = 'space_message' and soft = 0) or exists (
              select 1 from message
              where message.id = inbox_event.message_id and message.sender = ?
            ))
            order by id limit ?
            """,
        Inbox::event,
        agent.value(),
        now,
        Principal.OPERATOR_NAME,
        limit);
  }

  /// Also mail that is due later.
  public static boolean isThereAny(Tx tx, AgentId agent) {
    return tx.find(
            "select 1 from inbox_event where agent_id = ? and turn_no is null limit 1",
            _ -> true,
            agent.value())
        .isPresent();
  }

  public static long count(Tx tx, AgentId agent, Instant now) {
    return tx.number("select count(*) as n from inbox_event " + WHERE, agent.value(), now);
  }
}
