package dev.substrat.messaging.message;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.TurnSubject;
import dev.substrat.messaging.message.Message.Kind;
import dev.substrat.messaging.message.Message.Status;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Stores a message, the recipient's inbox event and the log event, in the caller's transaction.
final class Outbox {
  private final EventLog events;
  private final InstantSource clock;

  Outbox(EventLog events, InstantSource clock) {
    this.events = events;
    this.clock = clock;
  }

  Message send(Tx tx, MessageDraft draft) {
    return send(tx, draft, null).orElseThrow();
  }

  /// Empty if the sender has used the idempotency key before; then nothing was sent.
  Optional<Message> send(Tx tx, MessageDraft draft, @Nullable String idempotencyKey) {
    var id = MessageId.random();
    if (!MessageTable.insert(tx, id, draft, idempotencyKey, clock.instant())) {
      return Optional.empty();
    }
    Message message = MessageTable.find(tx, id).orElseThrow();
    Optional<Agent> recipient = AgentTree.find(tx, draft.recipient());
    if (recipient.isPresent()) {
      deliver(tx, message, draft.senderName(), recipient.get(), draft.subject());
    }
    announce(tx, message, recipient.map(Agent::handle).orElse(draft.recipient()));
    return Optional.of(message);
  }

  /// Brings a message that was sent before, as it was then.
  void again(Tx tx, Message message, Agent recipient) {
    String sender = AgentTree.find(tx, message.sender()).map(Agent::name).orElse(message.sender());
    deliver(tx, message, sender, recipient, null);
    Inbox.resetAttempts(tx, message.id());
  }

  private void deliver(
      Tx tx, Message message, String senderName, Agent recipient, @Nullable String joined) {
    if (!isAlive(tx, recipient)) {
      MessageTable.end(
          tx, message.id(), Status.DEAD, "the recipient was terminated", clock.instant());
      return;
    }
    var payload =
        Json.object()
            .put("kind", message.kind().toString())
            .put("from", senderName)
            .put("text", message.text())
            .put("message_id", message.id().value())
            .put("sync", message.sync())
            .put("depth", message.depth());
    if (message.inReplyTo() != null) {
      // The sender of a broadcast knows only the broadcast's id.
      MessageId known = message.broadcast() == null ? message.inReplyTo() : message.broadcast();
      payload.put("in_reply_to", known.value());
    }
    var event =
        new InboxEvent(
            message.id().value(), kind(message.kind()), message.id(), payload, 0, isSoft(message));
    Inbox.put(
        tx,
        recipient.id(),
        event.about(joined == null ? subject(tx, message) : joined),
        message.heldReason() != null,
        clock.instant());
  }

  /// A question is a subject of its own; what answers one belongs to the subject in whose turn that
  /// was asked.
  private static @Nullable String subject(Tx tx, Message message) {
    if (message.sync()) {
      return message.heldReason() == null ? new TurnSubject.Question(message.id()).key() : null;
    }
    MessageId answered = message.inReplyTo();
    return answered == null
        ? null
        : MessageTable.find(tx, answered)
            .filter(question -> question.sender().equals(message.recipient()))
            .map(Message::subject)
            .orElse(null);
  }

  /// Locked until the commit: a concurrent termination waits, and then finds this message.
  static boolean isAlive(Tx tx, Agent recipient) {
    return AgentTree.lockAlive(tx, recipient.id());
  }

  /// While an agent waits for a reply, messages of other agents that need no answer do not wake it.
  private static boolean isSoft(Message message) {
    boolean isMail = message.kind() == Kind.MESSAGE || message.kind() == Kind.BROADCAST;
    boolean isAnswerToMany = message.kind() == Kind.REPLY && message.broadcast() != null;
    boolean isFromPerson = message.sender().equals(Principal.OPERATOR_NAME);
    return ((isMail && !message.sync()) || isAnswerToMany) && !isFromPerson;
  }

  private static InboxEvent.Kind kind(Kind kind) {
    return switch (kind) {
      case MESSAGE -> InboxEvent.Kind.MESSAGE;
      case BROADCAST -> InboxEvent.Kind.BROADCAST;
      case REPLY -> InboxEvent.Kind.REPLY;
      case NOTICE -> InboxEvent.Kind.NOTICE;
    };
  }

  private void announce(Tx tx, Message message, String recipient) {
    String sender =
        AgentTree.find(tx, message.sender()).map(Agent::handle).orElse(message.sender());
    events.append(
        tx,
        NewEvent.of("message_sent")
            .about(message.recipient())
            .and(message.sender())
            .with("message_id", message.id().value())
            .with("messageKind", message.kind().toString())
            .with("from", sender)
            .with("to", recipient)
            .with("text", message.text())
            .with("sync", message.sync())
            .with("held", message.heldReason())
            .with("in_reply_to", message.inReplyTo() == null ? null : message.inReplyTo().value()));
  }
}
