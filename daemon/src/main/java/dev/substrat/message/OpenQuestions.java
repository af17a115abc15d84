package dev.substrat.message;

import dev.substrat.id.AgentId;
import dev.substrat.id.MessageId;
import dev.substrat.store.Row;
import dev.substrat.store.Tx;
import java.util.List;
import java.util.Optional;

/// Questions that agents are to answer, for prompts.
public final class OpenQuestions {
  private static final int MOST = 100;

  private OpenQuestions() {}

  /// A question, answered or not.
  public record Asked(MessageId id, String sender, String text) {}

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
