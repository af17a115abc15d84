package dev.substrat.messaging.message;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Open questions to agents, for prompts.
public final class OpenQuestions {
  private static final int MAX_COUNT = 100;
  private static final int MAX_IN_RESULT = 10;

  private OpenQuestions() {}

  /// A question, answered or not.
  public record AskedQuestion(MessageId id, String sender, String text) {}

  /// Whether a question is open, and what happens to the final text of a turn about it if it is
  /// not; see [TurnDelivery#settle].
  public enum QuestionState {
    OPEN,
    ANSWERED,
    ANSWERED_IN_THIS_TURN,
    EXPIRED,
    UNANSWERED,
    SENDER_TERMINATED
  }

  /// State of a question for a turn of `agent` with `events`.
  public static QuestionState describe(
      Tx tx, AgentId agent, MessageId id, List<InboxEvent> events) {
    Message question = MessageTable.find(tx, id).orElseThrow();
    // A fork is shown what the original was shown, though the question is not addressed to it.
    boolean isToAnother = !question.recipient().equals(agent.value());
    if (isToAnother || PendingReplies.find(tx, id, agent.value()).isPresent()) {
      return QuestionState.OPEN;
    }
    if (!Recipients.isThere(tx, question.sender())) {
      return QuestionState.SENDER_TERMINATED;
    }
    return MessageTable.findReply(tx, id)
        .map(reply ->
            reply.run() != null && RunInputEvents.beganWith(tx, reply.run(), events)
                ? QuestionState.ANSWERED_IN_THIS_TURN
                : QuestionState.ANSWERED)
        .orElse(
            question.status() == Message.MessageStatus.EXPIRED
                ? QuestionState.EXPIRED
                : QuestionState.UNANSWERED);
  }

  public static Optional<AskedQuestion> find(Tx tx, MessageId id) {
    return tx.find(
        "select id, sender, text from message where id = ?", OpenQuestions::asked, id.value());
  }

  /// Whether the asker of `question` still waits for an answer of `agent`.
  public static boolean isOpen(Tx tx, MessageId question, AgentId agent) {
    return PendingReplies.find(tx, question, agent.value()).isPresent();
  }

  /// A sender that waits for an answer, and to which message.
  public record WaitingSender(String from, @JsonProperty("message_id") String messageId) {}

  /// The oldest questions that `agent` was shown and has not answered, for the results of its
  /// calls.
  public static List<WaitingSender> waitingFor(Tx tx, AgentId agent) {
    return tx.list(
        """
        select pending_reply.message_id, asker, agent.name
        from pending_reply left join agent on agent.id = asker
        where answerer = ? and kind = 'question' and shown_at is not null
        order by pending_reply.message_id limit ?
        """,
        row -> {
          @Nullable String name = row.textOrNull("name");
          return new WaitingSender(name == null ? row.text("asker") : name, row.text("message_id"));
        },
        agent.value(),
        MAX_IN_RESULT);
  }

  /// Name of an asker, as the agent knows it.
  static String name(Tx tx, String principal) {
    return AgentTree.find(tx, principal).map(Agent::name).orElse(principal);
  }

  /// Whether the operator waits for an answer of `agent` to a question that it was shown.
  public static boolean isAskedByOperator(Tx tx, AgentId agent) {
    return PendingReplies.next(tx, agent.value(), Principal.OPERATOR_NAME).isPresent();
  }

  /// The questions that wait for an answer of `agent`, oldest first.
  public static List<AskedQuestion> to(Tx tx, AgentId agent) {
    return tx.list(
        """
        select message.id, message.sender, message.text
        from pending_reply join message on message.id = pending_reply.message_id
        where answerer = ? and pending_reply.kind = 'question'
        order by message.id limit ?
        """,
        OpenQuestions::asked,
        agent.value(),
        MAX_COUNT);
  }

  private static AskedQuestion asked(ResultRow row) {
    return new AskedQuestion(new MessageId(row.text("id")), row.text("sender"), row.text("text"));
  }
}
