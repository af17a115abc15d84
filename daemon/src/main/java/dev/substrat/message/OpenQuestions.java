package dev.substrat.message;

import dev.substrat.id.AgentId;
import dev.substrat.id.MessageId;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.inbox.RunInput;
import dev.substrat.store.Row;
import dev.substrat.store.Tx;
import java.util.List;
import java.util.Optional;

/// Questions to agents, as prompts describe them.
public final class OpenQuestions {
  private static final int MOST = 100;

  private OpenQuestions() {}

  /// A question, answered or not.
  public record Asked(MessageId id, String sender, String text) {}

  /// Whether a question is open, and what happens to the final text of a turn about it if it is
  /// not; see [Delivery#settle].
  public enum Standing {
    OPEN,
    ANSWERED,
    ANSWERED_IN_THIS_TURN,
    EXPIRED,
    UNANSWERED,
    SENDER_TERMINATED
  }

  /// The standing of a question for a turn of `agent` that begins with `events`.
  public static Standing standing(Tx tx, AgentId agent, MessageId id, List<InboxEvent> events) {
    Message question = MessageTable.find(tx, id).orElseThrow();
    // A fork is shown what the original was shown, though the question is not addressed to it.
    boolean isToAnother = !question.recipient().equals(agent.value());
    if (isToAnother || PendingReplies.find(tx, id, agent.value()).isPresent()) {
      return Standing.OPEN;
    }
    if (!Recipients.isThere(tx, question.sender())) {
      return Standing.SENDER_TERMINATED;
    }
    return MessageTable.findReply(tx, id)
        .map(reply ->
            reply.run() != null && RunInput.beganWith(tx, reply.run(), events)
                ? Standing.ANSWERED_IN_THIS_TURN
                : Standing.ANSWERED)
        .orElse(
            question.status() == Message.Status.EXPIRED ? Standing.EXPIRED : Standing.UNANSWERED);
  }

  public static Optional<Asked> find(Tx tx, MessageId id) {
    return tx.find(
        "select id, sender, text from message where id = ?", OpenQuestions::asked, id.value());
  }

  /// Whether the asker of `question` still waits for an answer of `agent`.
  public static boolean isOpen(Tx tx, MessageId question, AgentId agent) {
    return PendingReplies.find(tx, question, agent.value()).isPresent();
  }

  /// The questions that wait for an answer of `agent`, oldest first.
  public static List<Asked> to(Tx tx, AgentId agent) {
    return tx.list(
        """
        select message.id, message.sender, message.text
        from pending_reply join message on message.id = pending_reply.message_id
        where answerer = ? and pending_reply.kind = 'question'
        order by message.id limit ?
        """,
        OpenQuestions::asked,
        agent.value(),
        MOST);
  }

  private static Asked asked(Row row) {
    return new Asked(new MessageId(row.text("id")), row.text("sender"), row.text("text"));
  }
}
