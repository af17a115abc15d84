package dev.substrat.inbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.id.AgentId;
import dev.substrat.id.MessageId;
import dev.substrat.json.Json;
import dev.substrat.store.Row;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Events wait here until a turn of their agent has ended well.
///
/// A claim stamps them with the turn; consuming removes exactly those that carry its stamp. An
/// event that arrives during a turn carries none and waits for the next one, unless the agent looks
/// for it. A turn that dies leaves its events where they are: the next claim takes them again.
public final class Inbox {
  private static final String PUT =
      """
      insert into inbox_event
        (id, agent_id, kind, message_id, payload, not_before, soft, held)
      values (?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String CLAIM =
      """
      update inbox_event set turn_no = ?
      where id in (
        select id from inbox_event
        where agent_id = ? and not_before <= ? and (turn_no is null or turn_no <> ?)
        order by id
        limit ?
      )
      """;

  /// Due, and not in the hands of a turn that is under way.
  private static final String NEXT =
      """
      where agent_id = ? and not_before <= ?
        and (turn_no is null or not exists (
          select 1 from agent
          where agent.id = inbox_event.agent_id
            and agent.turn_no = inbox_event.turn_no
            and agent.lease_until > NOW
        ))
      order by id
      limit ?
      """;

  private static final String SELECT =
      "select id, kind, message_id, payload, attempts, soft from inbox_event ";

  private static final String GIVE_BACK =
      """
      update inbox_event set turn_no = null, attempts = attempts + 1, not_before = ?
      where id = ? and turn_no = ?
      """;

  /// How many an agent is given at once: as many as it can be shown. The others are its next turn,
  /// or its next look.
  private static final int AT_ONCE = 100;

  private Inbox() {}

  public static void put(Tx tx, AgentId agent, InboxEvent event, boolean held, Instant now) {
    tx.update(
        PUT,
        event.id(),
        agent.value(),
        event.kind(),
        event.message() == null ? null : event.message().value(),
        Json.text(event.payload()),
        now,
        event.soft(),
        held);
  }

  /// What is due for `agent`, oldest first, stamped with `turn`.
  public static List<InboxEvent> claim(Tx tx, AgentId agent, long turn, Instant now) {
    tx.update(CLAIM, turn, agent.value(), now, turn, AT_ONCE);
    return claimedBy(tx, agent, turn);
  }

  /// Marks all that waits for a fork as copies of what another agent's turn was given.
  public static void markCopies(Tx tx, AgentId agent) {
    tx.update("update inbox_event set copied = 1 where agent_id = ?", agent.value());
  }

  public static boolean hasCopies(Tx tx, AgentId agent, long turn) {
    return tx.number(
            """
            select count(*) as n from inbox_event
            where agent_id = ? and turn_no = ? and copied = 1
            """,
            agent.value(),
            turn)
        > 0;
  }

  /// What a turn claimed, without what has arrived since: that waits for the next one.
  public static List<InboxEvent> keepCopiesOnly(Tx tx, AgentId agent, long turn) {
    tx.update(
        "update inbox_event set turn_no = null where agent_id = ? and turn_no = ? and copied = 0",
        agent.value(),
        turn);
    return claimedBy(tx, agent, turn);
  }

  /// What a turn that began now would claim; only a look.
  public static List<InboxEvent> next(Tx tx, AgentId agent, Instant now) {
    return tx.list(
        SELECT + NEXT.replace("NOW", tx.dialect().now()),
        Inbox::event,
        agent.value(),
        now,
        AT_ONCE);
  }

  public static List<InboxEvent> claimedBy(Tx tx, AgentId agent, long turn) {
    return tx.list(
        SELECT + "where agent_id = ? and turn_no = ? order by id",
        Inbox::event,
        agent.value(),
        turn);
  }

  /// What is due and no turn has, oldest first.
  public static List<InboxEvent> unclaimed(Tx tx, AgentId agent, Instant now) {
    return tx.list(
        SELECT + "where agent_id = ? and turn_no is null and not_before <= ? order by id limit ?",
        Inbox::event,
        agent.value(),
        now,
        AT_ONCE);
  }

  /// Stamps one event with a turn that is under way.
  public static void claim(Tx tx, InboxEvent event, long turn) {
    tx.update("update inbox_event set turn_no = ? where id = ?", turn, event.id());
  }

  public static void consume(Tx tx, InboxEvent event, long turn) {
    tx.update("delete from inbox_event where id = ? and turn_no = ?", event.id(), turn);
  }

  /// Puts an event of a failed turn back, to be tried again after `pause`.
  public static void giveBack(Tx tx, InboxEvent event, long turn, Instant now, Duration pause) {
    tx.update(GIVE_BACK, now.plus(pause), event.id(), turn);
  }

  /// Puts an event back that its turn could not see to; no attempt is counted against it.
  public static void putBack(Tx tx, InboxEvent event, long turn, Instant dueAt) {
    tx.update(
        "update inbox_event set turn_no = null, not_before = ? where id = ? and turn_no = ?",
        dueAt,
        event.id(),
        turn);
  }

  /// Lets all that is due for an agent wait a little longer.
  public static void postpone(Tx tx, AgentId agent, Instant now, Duration pause) {
    tx.update(
        "update inbox_event set not_before = ? where agent_id = ? and not_before <= ?",
        now.plus(pause),
        agent.value(),
        now);
  }

  /// Lets a held event wake its agent after all; false if the agent has seen it already.
  public static boolean release(Tx tx, MessageId message) {
    return tx.update("update inbox_event set held = 0 where message_id = ?", message.value()) == 1;
  }

  /// What nobody will read any more, for the one who must tell the senders.
  public static List<InboxEvent> removeAll(Tx tx, AgentId agent) {
    List<InboxEvent> left =
        tx.list(SELECT + "where agent_id = ? order by id", Inbox::event, agent.value());
    tx.update("delete from inbox_event where agent_id = ?", agent.value());
    return left;
  }

  /// Gives an event to an agent that reads its mail itself; `batch` names the request it asked in.
  public static void handOut(Tx tx, InboxEvent event, String batch) {
    tx.update("update inbox_event set turn_no = 0, batch = ? where id = ?", batch, event.id());
  }

  public static boolean isHandedOut(Tx tx, AgentId agent, String batch) {
    return tx.number(
            "select count(*) as n from inbox_event where agent_id = ? and batch = ?",
            agent.value(),
            batch)
        > 0;
  }

  public static List<InboxEvent> handedOut(Tx tx, AgentId agent) {
    return tx.list(
        SELECT + "where agent_id = ? and batch is not null and turn_no = 0 order by id",
        Inbox::event,
        agent.value());
  }

  /// The agent came back, so it has read what it was given.
  public static List<InboxEvent> consumeHandedOut(Tx tx, AgentId agent) {
    List<InboxEvent> read = handedOut(tx, agent);
    tx.update(
        "delete from inbox_event where agent_id = ? and batch is not null and turn_no = 0",
        agent.value());
    return read;
  }

  /// How many are due and no turn has.
  public static long unread(Tx tx, AgentId agent, Instant now) {
    return tx.number(
        """
        select count(*) as n from inbox_event
        where agent_id = ? and turn_no is null and not_before <= ?
        """,
        agent.value(),
        now);
  }

  public static long count(Tx tx, AgentId agent) {
    return tx.number("select count(*) as n from inbox_event where agent_id = ?", agent.value());
  }

  private static InboxEvent event(Row row) {
    @Nullable String message = row.textOrNull("message_id");
    return new InboxEvent(
        row.text("id"),
        InboxEvent.Kind.parse(row.text("kind")),
        message == null ? null : new MessageId(message),
        (ObjectNode) Json.own(row.text("payload")),
        row.integer("attempts"),
        row.flag("soft"));
  }
}
