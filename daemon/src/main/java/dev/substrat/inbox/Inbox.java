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
/// event that arrives during a turn carries none and waits for the next one. A turn that dies
/// leaves its events where they are: the next claim takes them again.
public final class Inbox {
  private static final String PUT =
      """
      insert into inbox_event (id, agent_id, kind, message_id, payload, not_before)
      values (?, ?, ?, ?, ?, ?)
      """;

  private static final String CLAIM =
      """
      update inbox_event set turn_no = ?
      where agent_id = ? and not_before <= ?
      """;

  private static final String CLAIMED =
      """
      select id, kind, message_id, payload, attempts from inbox_event
      where agent_id = ? and turn_no = ?
      order by id
      """;

  private static final String CONSUME = "delete from inbox_event where id = ? and turn_no = ?";

  private static final String GIVE_BACK =
      """
      update inbox_event set turn_no = null, attempts = attempts + 1, not_before = ?
      where id = ? and turn_no = ?
      """;

  private Inbox() {}

  public static void put(Tx tx, AgentId agent, InboxEvent event, Instant now) {
    tx.update(
        PUT,
        event.id(),
        agent.value(),
        event.kind(),
        event.message() == null ? null : event.message().value(),
        Json.text(event.payload()),
        now);
  }

  /// Everything that is due for `agent`, oldest first, stamped with `turn`.
  public static List<InboxEvent> claim(Tx tx, AgentId agent, long turn, Instant now) {
    tx.update(CLAIM, turn, agent.value(), now);
    return tx.list(CLAIMED, Inbox::event, agent.value(), turn);
  }

  public static void consume(Tx tx, InboxEvent event, long turn) {
    tx.update(CONSUME, event.id(), turn);
  }

  /// Puts an event of a failed turn back, to be tried again after `pause`.
  public static void giveBack(Tx tx, InboxEvent event, long turn, Instant now, Duration pause) {
    tx.update(GIVE_BACK, now.plus(pause), event.id(), turn);
  }

  private static InboxEvent event(Row row) {
    @Nullable String message = row.textOrNull("message_id");
    return new InboxEvent(
        row.text("id"),
        InboxEvent.Kind.parse(row.text("kind")),
        message == null ? null : new MessageId(message),
        (ObjectNode) Json.own(row.text("payload")),
        row.integer("attempts"));
  }
}
