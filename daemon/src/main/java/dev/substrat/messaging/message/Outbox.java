package dev.substrat.messaging.message;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.TurnSubject;
import dev.substrat.messaging.message.Message.MessageKind;
import dev.substrat.messaging.message.Message.MessageStatus;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.team.AgentTree.Alive;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Stores a message, the recipient's inbox event and the log event, in the caller's transaction.
final class Outbox {
  private static final String GONE = "the recipient was terminated";

  private final EventLog events;
  private final InstantSource clock;
  private volatile WakeUpHint wakeUp = (_, _) -> {};

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
    Instant now = clock.instant();
    if (!MessageTable.insert(tx, id, draft, idempotencyKey, now)) {
      return Optional.empty();
    }
    Message message = draft.stored(id, now);
    announce(tx, message, draft, deliver(tx, message, draft));
    return Optional.of(message);
  }

  /// Returns how the log calls the recipient.
  private String deliver(Tx tx, Message message, MessageDraft draft) {
    if (draft.recipient().equals(Principal.OPERATOR_NAME)) {
      return Principal.OPERATOR_NAME;
    }
    var recipient = new AgentId(draft.recipient());
    Optional<Alive> alive =
        Optional.ofNullable(draft.to()).or(() -> AgentTree.findAlive(tx, recipient));
    if (alive.isPresent()) {
      @Nullable String joined = draft.subject();
      String sender = draft.senderName();
      deliver(tx, message, sender, recipient, joined == null ? subject(tx, message) : joined);
      hint(tx, message, alive.get());
      return alive.get().handle();
    }
    Optional<Agent> gone = AgentTree.find(tx, draft.recipient());
    gone.ifPresent(
        _ -> MessageTable.end(tx, message.id(), MessageStatus.DEAD, GONE, clock.instant()));
    return gone.map(Agent::handle).orElse(draft.recipient());
  }

  private void hint(Tx tx, Message message, Alive recipient) {
    if (message.heldReason() == null) {
      tx.afterCommit(() -> wakeUp.mayBeReady(recipient, message.id()));
    }
  }

  /// Sets the receiver of hints.
  void wake(WakeUpHint receiver) {
    wakeUp = receiver;
  }

  /// Brings a message that was sent before, as it was then.
  void again(Tx tx, Message message, Agent recipient) {
    String sender = AgentTree.find(tx, message.sender()).map(Agent::name).orElse(message.sender());
    if (AgentTree.lockAlive(tx, recipient.id())) {
      deliver(tx, message, sender, recipient.id(), subject(tx, message));
    } else {
      MessageTable.end(tx, message.id(), MessageStatus.DEAD, GONE, clock.instant());
    }
    Inbox.resetAttempts(tx, message.id());
  }

  private void deliver(
      Tx tx, Message message, String senderName, AgentId recipient, @Nullable String subject) {
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
    Inbox.put(tx, recipient, event.about(subject), message.heldReason() != null, clock.instant());
  }

  /// A question is a subject of its own; what answers one belongs to the subject in whose turn that
  /// was asked.
  private static @Nullable String subject(Tx tx, Message message) {
    if (message.sync()) {
      return message.heldReason() == null
          ? new TurnSubject.QuestionSubject(message.id()).key()
          : null;
    }
    MessageId answered = message.inReplyTo();
    return answered == null
        ? null
        : MessageTable.find(tx, answered)
            .filter(question -> question.sender().equals(message.recipient()))
            .map(Message::subject)
            .orElse(null);
  }

  /// While an agent waits for a reply, messages of other agents that need no answer do not wake it.
  private static boolean isSoft(Message message) {
    boolean isMail =
        message.kind() == MessageKind.MESSAGE || message.kind() == MessageKind.BROADCAST;
    boolean isAnswerToMany = message.kind() == MessageKind.REPLY && message.broadcast() != null;
    boolean isFromPerson = message.sender().equals(Principal.OPERATOR_NAME);
    return ((isMail && !message.sync()) || isAnswerToMany) && !isFromPerson;
  }

  private static InboxEvent.InboxEventKind kind(MessageKind kind) {
    return switch (kind) {
      case MESSAGE -> InboxEvent.InboxEventKind.MESSAGE;
      case BROADCAST -> InboxEvent.InboxEventKind.BROADCAST;
      case REPLY -> InboxEvent.InboxEventKind.REPLY;
      case NOTICE -> InboxEvent.InboxEventKind.NOTICE;
    };
  }

  /// The event has the text and the rest of the message when it is read: [SentMessageDetails].
  private void announce(Tx tx, Message message, MessageDraft draft, String recipient) {
    events.append(
        tx,
        NewEvent.of("message_sent")
            .about(message.recipient())
            .and(message.sender())
            .with("message_id", message.id().value())
            .with("from", draft.senderHandle())
            .with("to", recipient)
            .with("held", message.heldReason()));
  }
}
