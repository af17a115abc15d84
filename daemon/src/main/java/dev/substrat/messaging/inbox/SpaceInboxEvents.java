package dev.substrat.messaging.inbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Inbox events of spaces. Adding one and terminating an agent both lock the space's row, so no
/// event is added for a terminated agent.
public final class SpaceInboxEvents {
  private static final String PUT =
      """
      insert into inbox_event
        (id, agent_id, kind, payload, not_before, soft, held, space_id, round_id, subject, soft_until)
      values (?, ?, 'space_message', ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private SpaceInboxEvents() {}

  /// Origin of an event and when it may wake its agent; a held one does not. An agent's message is
  /// soft for some time; a person's message also wakes an agent that waits for a reply, and in
  /// direct messages it has a subject.
  public record DeliveryTerms(
      String space,
      @Nullable MessageId round,
      Instant due,
      @Nullable Instant softUntil,
      boolean held,
      @Nullable String subject) {}

  public static void put(Tx tx, AgentId agent, ObjectNode payload, DeliveryTerms terms) {
    tx.update(
        PUT,
        MessageId.random().value(),
        agent.value(),
        Json.text(
            terms.subject() == null
                ? payload
                : payload.deepCopy().put(InboxEvent.SUBJECT, terms.subject())),
        terms.due(),
        terms.softUntil() != null,
        terms.held(),
        terms.space(),
        terms.round() == null ? null : terms.round().value(),
        terms.subject(),
        terms.softUntil());
  }

  /// Releases everything held in a space; returns how many. A person has seen it, so the chain
  /// starts again as after a person's message.
  public static int release(Tx tx, String space) {
    List<HeldEvent> held =
        tx.list(
            "select id, payload from inbox_event where space_id = ? and held = 1",
            row -> new HeldEvent(row.text("id"), (ObjectNode) Json.own(row.text("payload"))),
            space);
    held.forEach(one ->
        tx.update(
            "update inbox_event set held = 0, payload = ? where id = ?",
            Json.text(one.payload().put("depth", 0)),
            one.id()));
    return held.size();
  }

  private record HeldEvent(String id, ObjectNode payload) {}

  /// The round that an agent's turn is part of, if the round waits for it. A message that is too
  /// late, or of an agent that the round does not wait for, is not part of it, because the others
  /// would not see it.
  public static Optional<MessageId> findRound(Tx tx, AgentId agent, long turn, String space) {
    return tx.find(
        """
        select round_id from inbox_event
        where agent_id = ? and turn_no in (?, ?) and space_id = ?
          and exists (
            select 1 from space_round where message_id = round_id and waiting = agent_id
          )
        order by id desc
        """,
        row -> new MessageId(row.text("round_id")),
        agent.value(),
        turn,
        turn == Inbox.HANDED_OUT ? Inbox.READ_BATCH : turn,
        space);
  }

  /// Whether an agent still has events of a round.
  public static boolean isWaiting(Tx tx, AgentId agent, MessageId round) {
    return tx.number(
            """
            select count(*) as n from inbox_event
            where agent_id = ? and round_id = ? and (turn_no is null or turn_no >= 0)
            """,
            agent.value(),
            round.value())
        > 0;
  }

  /// Whether a running turn of the agent has it.
  public static boolean isClaimed(Tx tx, AgentId agent, MessageId round) {
    return tx.number(
            """
            select count(*) as n from inbox_event join agent
              on agent.id = agent_id and agent.turn_no = inbox_event.turn_no
            where agent_id = ? and round_id = ? and lease_until > NOW
            """
                .replace("NOW", tx.dialect().now()),
            agent.value(),
            round.value())
        > 0;
  }

  /// Deletes waiting events of a space that the agent has left; events of a running turn stay.
  public static void withdraw(Tx tx, AgentId agent, String space) {
    tx.update(
        "delete from inbox_event where agent_id = ? and space_id = ? and turn_no is null",
        agent.value(),
        space);
  }
}
