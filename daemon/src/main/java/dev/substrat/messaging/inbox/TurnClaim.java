package dev.substrat.messaging.inbox;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Events claimed by one turn: those of one subject, or several without a subject that belong to
/// the same space or to none.
///
/// The oldest event that may wake the agent decides the subject and brings the other events of that
/// subject, so no subject starves.
public record TurnClaim(@Nullable String subject, List<InboxEvent> events) {
  /// No events, so no turn.
  public static final TurnClaim NOTHING = new TurnClaim(null, List.of());

  /// Maximum events of a turn.
  public static final int PER_TURN = 50;

  /// A fork gets all events of the original turn, including those that were fetched later.
  private static final int MAX_COPIES = 10_000;

  private static final String FIRST =
      """
      select subject, space_id, copied, AGAIN as again from inbox_event
      where agent_id = ? and not_before <= ? and held = 0 and
      """;

  /// Events of an attempt that died come first.
  private static final String FIRST_AGAIN =
      FIRST.replace("AGAIN", "1")
          + """
          turn_no >= 0
          order by case when subject is null then 1 else 0 end, id
          limit 1
          """;

  /// Otherwise the oldest event that may wake its agent decides the subject.
  private static final String FIRST_FRESH =
      FIRST.replace("AGAIN", "0")
          + """
          turn_no is null and (soft = 0 or soft_until <= ? or not YIELDS)
          order by id
          limit 1
          """
              .replace("YIELDS", Inbox.WAITS_FOR_REPLY);

  private static final String BOTH_FIRST =
      "select * from (%s) again union all select * from (%s) fresh order by again desc"
          .formatted(FIRST_AGAIN, FIRST_FRESH);

  /// Claims the oldest unclaimed events for a turn.
  private static final String CLAIM =
      """
      update inbox_event set turn_no = ?, batch = null
      where id in (
        select fresh.id from inbox_event fresh
        where fresh.agent_id = ? and fresh.not_before <= ? and fresh.turn_no is null and WHICH
        order by fresh.held, fresh.id
        limit ?
      )
      """;

  private static final String CLAIM_SUBJECT = CLAIM.replace("WHICH", "fresh.subject = ?");

  private static final String CLAIM_COPIES = CLAIM.replace("WHICH", "fresh.copied = 1");

  /// Without a subject a turn gets the messages of one space, or all events that belong to no
  /// space: its final text is shown in that space. Soft events that yield come after the reply.
  private static final String CLAIM_MAIL =
      CLAIM
          .replace("WHICH", "fresh.subject is null and coalesce(fresh.space_id, '') = ?")
          .replace(
              "fresh.held, fresh.id",
              """
              fresh.held, case when fresh.soft = 1 and coalesce(fresh.soft_until > ?, true) and exists (
                select 1 from pending_reply
                where pending_reply.asker = fresh.agent_id and pending_reply.kind = 'question'
              ) then 1 else 0 end, fresh.id\
              """);

  public TurnClaim {
    events = List.copyOf(events);
  }

  /// Claims the events of the next turn, oldest first, stamped with `turn`.
  public static TurnClaim take(Tx tx, AgentId agent, long turn, Instant now) {
    Optional<FirstEvent> found = first(tx, agent, now);
    if (found.isEmpty()) {
      return NOTHING;
    }
    FirstEvent first = found.get();
    String id = agent.value();
    long fresh = first.isAgain() ? claimAgain(tx, agent, first, turn) : PER_TURN;
    if (first.isCopy()) {
      tx.update(CLAIM_COPIES, turn, id, now, MAX_COPIES);
    } else if (first.subject() != null) {
      tx.update(CLAIM_SUBJECT, turn, id, now, first.subject(), fresh);
    } else {
      tx.update(CLAIM_MAIL, turn, id, now, first.space(), now, fresh);
    }
    return new TurnClaim(first.subject(), Inbox.claimedBy(tx, agent, turn));
  }

  /// Gives the turn the events of an attempt that died; returns how many more it can take. Events
  /// of another subject or space are released: an older version mixed them in one turn, and so does
  /// an external agent that reads its inbox.
  private static long claimAgain(Tx tx, AgentId agent, FirstEvent first, long turn) {
    if (!first.isCopy()) {
      tx.update(
          """
          update inbox_event set turn_no = null, batch = null
          where agent_id = ? and turn_no >= 0
            and (coalesce(subject, '') <> ? or (subject is null and coalesce(space_id, '') <> ?))
          """,
          agent.value(),
          Objects.requireNonNullElse(first.subject(), ""),
          first.space());
    }
    int again =
        tx.update(
            "update inbox_event set turn_no = ?, batch = null where agent_id = ? and turn_no >= 0",
            turn,
            agent.value());
    return Math.max(0, PER_TURN - again);
  }

  /// `space` is empty if there is none; `isAgain` if an attempt that died had the event.
  private record FirstEvent(
      @Nullable String subject, String space, boolean isCopy, boolean isAgain) {}

  private static Optional<FirstEvent> first(Tx tx, AgentId agent, Instant now) {
    return tx.find(BOTH_FIRST, TurnClaim::first, agent.value(), now, agent.value(), now, now, now);
  }

  private static FirstEvent first(ResultRow row) {
    return new FirstEvent(
        row.textOrNull("subject"),
        Objects.requireNonNullElse(row.textOrNull("space_id"), ""),
        row.flag("copied"),
        row.flag("again"));
  }

  /// An agent with messages before its first turn starts with these: deletes its start event.
  public static void dropNeedlessStart(Tx tx, AgentId agent, Instant now) {
    tx.update(
        """
        delete from inbox_event where agent_id = ? and kind = 'start' and copied = 0 and exists (
          select 1 from inbox_event other
          where other.agent_id = inbox_event.agent_id and other.kind <> 'start'
            and other.held = 0 and other.not_before <= ?
        )
        """,
        agent.value(),
        now);
  }

  /// Whether something is due that may wake the agent.
  public static boolean isDue(Tx tx, AgentId agent, Instant now) {
    return first(tx, agent, now).isPresent();
  }

  /// Events that a turn starting now would get; changes nothing.
  public static TurnClaim preview(Tx tx, AgentId agent, Instant now) {
    Optional<FirstEvent> found = first(tx, agent, now);
    if (found.isEmpty() || isAtWork(tx, agent)) {
      return NOTHING;
    }
    FirstEvent first = found.get();
    String next =
        "where agent_id = ? and not_before <= ? and (turn_no is null or turn_no >= 0) and ";
    String oldestFirst = " order by id limit " + PER_TURN;
    List<InboxEvent> events =
        first.subject() == null
            ? tx.list(
                Inbox.SELECT
                    + next
                    + "subject is null and coalesce(space_id, '') = ?"
                    + oldestFirst,
                Inbox::event,
                agent.value(),
                now,
                first.space())
            : tx.list(
                Inbox.SELECT + next + "subject = ?" + oldestFirst,
                Inbox::event,
                agent.value(),
                now,
                first.subject());
    return new TurnClaim(first.subject(), events);
  }

  private static boolean isAtWork(Tx tx, AgentId agent) {
    return tx.find(
            "select 1 from agent where id = ? and lease_until > " + tx.dialect().now(),
            _ -> true,
            agent.value())
        .isPresent();
  }
}
