package dev.substrat.messaging.inbox;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Inbox events that are due and not claimed by a turn.
public final class UnclaimedEvents {
  /// Maximum events per check_inbox call.
  public static final int AT_ONCE = 100;

  private static final String WHERE = "where agent_id = ? and turn_no is null and not_before <= ? ";

  private UnclaimedEvents() {}

  /// Wanted events, oldest first.
  public static List<InboxEvent> list(
      Tx tx, AgentId agent, Instant now, Predicate<InboxEvent> wanted) {
    return new UnclaimedEventQuery(agent, now, wanted)
        .list(tx, "(subject is null or subject >= ?)", "", AT_ONCE);
  }

  /// Due and wanted inbox events of one agent at `now`. The subject is missing if a turn has none.
  public record UnclaimedEventQuery(AgentId agent, Instant now, Predicate<InboxEvent> wanted) {
    /// Events of the subject or without one, oldest first.
    public List<InboxEvent> ofSubject(Tx tx, @Nullable String subject) {
      return list(tx, "(subject is null or subject = ?)", subject, AT_ONCE);
    }

    /// Events of other subjects, oldest first.
    public List<InboxEvent> ofOthers(Tx tx, @Nullable String subject, int limit) {
      return list(tx, "subject <> ?", subject, limit);
    }

    private List<InboxEvent> list(Tx tx, String which, @Nullable String subject, int limit) {
      String select = Inbox.SELECT + WHERE + "and id > ? and " + which + " order by id limit ?";
      String value = Objects.requireNonNullElse(subject, "");
      var found = new ArrayList<InboxEvent>();
      String last = "";
      boolean isMore = true;
      while (isMore && found.size() < limit) {
        List<InboxEvent> page =
            tx.list(select, Inbox::event, agent.value(), now, last, value, AT_ONCE);
        page.stream().filter(wanted).limit(limit - found.size()).forEach(found::add);
        isMore = page.size() == AT_ONCE;
        last = page.isEmpty() ? last : page.getLast().id();
      }
      return found;
    }
  }

  /// The oldest `limit` events from people and from the daemon.
  public static List<InboxEvent> urgent(Tx tx, AgentId agent, Instant now, int limit) {
    return tx.list(
        Inbox.SELECT
            + WHERE
            + """
            and (kind = 'notice' or (kind = 'space_message' and soft = 0) or exists (
              select 1 from message
              where message.id = inbox_event.id and message.sender = ?
            ))
            order by id limit ?
            """,
        Inbox::event,
        agent.value(),
        now,
        Principal.OPERATOR_NAME,
        limit);
  }

  /// Includes events that are due later.
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
