package dev.substrat.messaging.message;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.messaging.message.Message.MessageKind;
import dev.substrat.messaging.message.Message.MessageStatus;
import dev.substrat.messaging.message.MessageDraft.MessageSender;
import dev.substrat.messaging.message.PendingReplies.PendingReply;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.ToolCaller;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Matches replies with open questions, and closes questions that will get no answer with a notice.
/// Every asker gets one or the other.
final class ReplyMatching {
  /// Sender of the daemon's own notices.
  static final String NOTICES_FROM = "substrat";

  /// Marks a notice that a question is held.
  private static final String HELD = "held";

  private final Outbox outbox;
  private final EventLog events;
  private final InstantSource clock;

  ReplyMatching(Outbox outbox, EventLog events, InstantSource clock) {
    this.outbox = outbox;
    this.events = events;
    this.clock = clock;
  }

  /// See [Outbox#wake].
  void wake(WakeUpHint receiver) {
    outbox.wake(receiver);
  }

  /// The open question or broadcast that a message to `recipient` names.
  static Optional<PendingReply> named(Tx tx, String sender, String recipient, MessageId named) {
    return PendingReplies.find(tx, named, sender)
        .or(() -> PendingReplies.findInBroadcast(tx, named, sender))
        .filter(open -> open.asker().equals(recipient));
  }

  /// True if `named` is a message between the two, or a broadcast of one of them.
  static boolean isBetween(Tx tx, MessageId named, String sender, String recipient) {
    var pair = List.of(sender, recipient);
    return MessageTable.find(tx, named)
        .filter(message -> pair.contains(message.sender()))
        .filter(message -> pair.contains(message.recipient()) || message.broadcast() != null)
        .isPresent();
  }

  Message answer(Tx tx, MessageSender sender, PendingReply open, String text) {
    return answer(tx, sender, open, text, null);
  }

  Message answer(
      Tx tx,
      MessageSender sender,
      PendingReply open,
      String text,
      @Nullable String idempotencyKey) {
    if (!PendingReplies.close(tx, open.question())) {
      // The question has expired and the asker was notified; the answer is still delivered.
      var late =
          MessageDraft.of(MessageKind.MESSAGE, sender, open.asker(), text)
              .answering(open.question());
      return outbox.send(tx, late, idempotencyKey).orElseThrow();
    }
    Inbox.removeTried(tx, open.question());
    var draft =
        MessageDraft.of(MessageKind.REPLY, sender, open.asker(), text).answering(open.question());
    if (!open.isQuestion()) {
      MessageId broadcast = MessageTable.find(tx, open.question()).orElseThrow().broadcast();
      draft = broadcast == null ? draft : draft.inBroadcast(broadcast);
    }
    Message reply = outbox.send(tx, draft, idempotencyKey).orElseThrow();
    MessageTable.mark(tx, open.question(), MessageStatus.REPLIED, clock.instant());
    events.append(
        tx,
        NewEvent.of("message_replied")
            .about(open.answerer())
            .and(open.asker())
            .with("message_id", open.question().value())
            .with("reply_id", reply.id().value()));
    return reply;
  }

  /// Puts a question into the inbox of its answerer again.
  void redeliver(Tx tx, PendingReply open, Agent answerer) {
    PendingReplies.notShown(tx, open.question());
    MessageTable.find(tx, open.question())
        .ifPresent(question -> outbox.again(tx, question, answerer));
  }

  /// Closes a wait that will not be answered. The sender of a broadcast does not wait, so it gets
  /// no notice.
  void closeUnanswered(Tx tx, PendingReply open, MessageStatus end, String reason) {
    if (!PendingReplies.close(tx, open.question()) || !open.isQuestion()) {
      return;
    }
    markDead(tx, open.question(), open.answerer(), end, reason);
    String answerer = AgentTree.find(tx, open.answerer()).map(Agent::name).orElse(open.answerer());
    String text =
        "No reply from %s (to message %s): %s".formatted(answerer, open.question(), reason);
    sendNotice(tx, open.asker(), text, open.question());
  }

  /// Marks a message as dead, with the reason. A final status is not changed.
  void markDead(Tx tx, MessageId message, String recipient, MessageStatus end, String reason) {
    if (MessageTable.end(tx, message, end, reason, clock.instant())) {
      events.append(
          tx,
          NewEvent.of("message_dead")
              .about(recipient)
              .with("message_id", message.value())
              .with("status", end.toString())
              .with("reason", reason));
    }
  }

  /// Sends an ordinary message about a question that is no longer open. The loop guards can hold it
  /// like any other message.
  void sendLater(Tx tx, MessageSender sender, Message question, String text) {
    var draft =
        MessageDraft.of(MessageKind.MESSAGE, sender, question.sender(), text)
            .answering(question.id());
    outbox.send(tx, draft.held(LoopGuards.check(tx, draft).orElse(null)));
  }

  /// Puts a notice into the asker's inbox, in place of the answer, that its question is held; the
  /// notice has the subject of the asker's turn. A turn that was started by such a notice gets no
  /// second one: the result of `send_message` already says that the message is held.
  void sendHeldNotice(Tx tx, ToolCaller caller, Message question, String reason) {
    String subject = question.subject();
    boolean wasTold =
        RunInputEvents.of(tx, caller.run()).stream().anyMatch(given -> given.payload().has(HELD));
    if (subject == null || wasTold) {
      return;
    }
    String recipient =
        AgentTree.find(tx, question.recipient()).map(Agent::name).orElse(question.recipient());
    var payload =
        Json.object()
            .put("kind", InboxEvent.InboxEventKind.NOTICE.toString())
            .put("from", NOTICES_FROM)
            .put(
                "text",
                "No reply from %s (to message %s): the message is held until a person releases it: %s"
                    .formatted(recipient, question.id(), reason))
            .put("in_reply_to", question.id().value())
            .put(HELD, true)
            .put("depth", question.depth());
    if (question.cause() != null) {
      payload.put(InboxEvent.CAUSE, question.cause().value());
    }
    var notice =
        new InboxEvent(
            MessageId.random().value(), InboxEvent.InboxEventKind.NOTICE, null, payload, 0, false);
    Inbox.put(tx, caller.agent().id(), notice.about(subject), false);
  }

  /// Sends a notice, optionally about a question. Then it continues the question's chain, so that
  /// asking again because of it counts as a loop.
  void sendNotice(Tx tx, String who, String text, @Nullable MessageId question) {
    int depth =
        question == null ? 0 : 1 + MessageTable.find(tx, question).map(Message::depth).orElse(0);
    var sender = new MessageSender(NOTICES_FROM, NOTICES_FROM, question, depth);
    var draft = MessageDraft.of(MessageKind.NOTICE, sender, who, text);
    outbox.send(tx, question == null ? draft : draft.answering(question));
  }
}
