package dev.substrat.messaging.message;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.message.Message.MessageKind;
import dev.substrat.messaging.message.Message.MessageStatus;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.time.InstantSource;

/// Retries dead letters, and withdraws messages that were not shown in a turn yet.
///
/// Messages become dead letters in [TurnDelivery] (failed turns, terminated agents), in
/// [ReplyMatching] (unanswered questions) and in [Outbox] (a terminated recipient).
public final class DeadLetters {
  private static final String WITHDRAWN = "withdrawn by the operator";

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;
  private final Outbox outbox;
  private final ReplyMatching replies;
  private final TurnDelivery delivery;

  DeadLetters(Database database, EventLog events, InstantSource clock, Outbox outbox) {
    this.database = database;
    this.events = events;
    this.clock = clock;
    this.outbox = outbox;
    this.replies = new ReplyMatching(outbox, events, clock);
    this.delivery = new TurnDelivery(replies, events, clock);
  }

  /// Delivers an undeliverable message again. It is the same message: an asker that got a notice
  /// may still get an answer to its question.
  public Message retry(MessageId id) {
    return database.transact(tx -> {
      Message message = require(tx, id);
      Agent recipient = requireRecipient(tx, message);
      if (MessageTable.isInInbox(tx, id)) {
        throw ErrorCode.CONFLICT.fault(
            "message %s is already in the inbox of %s".formatted(id, recipient.handle()),
            "a later turn gets the message; see: substrat message show " + id);
      }
      if (!MessageTable.revive(tx, id)) {
        throw ErrorCode.CONFLICT.fault(
            "message %s is not a dead letter (it is %s), so it cannot be retried"
                .formatted(id, message.status()),
            "list dead letters with: substrat message list --dead");
      }
      outbox.again(tx, message, recipient);
      if (message.sync() || message.kind() == MessageKind.BROADCAST) {
        PendingReplies.open(tx, message, message.sync(), clock.instant());
      }
      events.append(
          tx,
          NewEvent.of("message_retried")
              .about(message.recipient())
              .and(message.sender())
              .with("message_id", id.value()));
      return require(tx, id);
    });
  }

  /// Whether the recipient is an agent that can still get messages.
  public static boolean canRetry(Tx tx, Message message) {
    return switch (message.status()) {
      case DEAD, EXPIRED ->
          AgentTree.find(tx, message.recipient()).filter(Agent::isAlive).isPresent();
      case STORED, CLAIMED, INJECTED, READ, REPLIED -> false;
    };
  }

  /// A concurrent termination of the recipient waits, and then finds this message.
  private static Agent requireRecipient(Tx tx, Message message) {
    Agent recipient =
        AgentTree.find(tx, message.recipient())
            .orElseThrow(() ->
                ErrorCode.CONFLICT.fault(
                    "message %s was sent to a person, so it cannot be retried"
                        .formatted(message.id()),
                    "the message is in the operator's inbox: substrat inbox"));
    if (!AgentTree.lockAlive(tx, recipient.id())) {
      throw ErrorCode.CONFLICT.fault(
          "message %s cannot be retried: its recipient %s was terminated"
              .formatted(message.id(), recipient.handle()),
          "send the text to another agent: substrat send AGENT TEXT");
    }
    return recipient;
  }

  /// Withdraws a message that waits in the recipient's inbox or is held, and that no turn has been
  /// shown. It ends as a dead letter. An agent that asked a question gets a notice in place of the
  /// answer.
  public Message withdraw(MessageId id) {
    return database.transact(tx -> {
      MessageTable.lock(tx, id);
      Message message = require(tx, id);
      var recipient = new AgentId(message.recipient());
      InboxEvent event =
          Inbox.findUnclaimed(tx, recipient, id)
              .filter(_ -> isWithdrawable(tx, message))
              .filter(waiting -> Inbox.remove(tx, waiting))
              .orElseThrow(() -> notWithdrawable(tx, message));
      if (message.sender().equals(Principal.OPERATOR_NAME)) {
        // The operator withdrew it and needs no notice.
        PendingReplies.close(tx, id);
        replies.markDead(tx, id, message.recipient(), MessageStatus.DEAD, WITHDRAWN);
      } else {
        delivery.markDead(tx, recipient, event, WITHDRAWN);
        notifySenderOfHeld(tx, message);
      }
      return require(tx, id);
    });
  }

  private static boolean isWithdrawable(Tx tx, Message message) {
    boolean wasShown =
        message.history().stream()
                .anyMatch(step ->
                    step.status() == MessageStatus.INJECTED || step.status() == MessageStatus.READ)
            || PendingReplies.wasShown(tx, message.id());
    return !wasShown
        && (message.kind() == MessageKind.MESSAGE || message.kind() == MessageKind.BROADCAST);
  }

  /// A held question has no open wait that could be closed.
  private void notifySenderOfHeld(Tx tx, Message message) {
    if (message.heldReason() != null && message.sync()) {
      String recipient =
          AgentTree.find(tx, message.recipient()).map(Agent::name).orElse(message.recipient());
      replies.sendNotice(
          tx,
          message.sender(),
          "No reply from %s (to message %s): %s".formatted(recipient, message.id(), WITHDRAWN),
          message.id());
    }
  }

  private static Fault notWithdrawable(Tx tx, Message message) {
    String recipient =
        AgentTree.find(tx, message.recipient()).map(Agent::handle).orElse(message.recipient());
    String why =
        switch (message.kind()) {
          case REPLY, NOTICE -> "it is a " + message.kind();
          case MESSAGE, BROADCAST ->
              switch (message.status()) {
                case REPLIED, EXPIRED, DEAD -> "it is already " + message.status();
                case STORED, CLAIMED, INJECTED, READ ->
                    message.recipient().equals(Principal.OPERATOR_NAME)
                        ? "it is already in the operator's inbox"
                        : "a turn of " + recipient + " has already received it";
              };
        };
    return ErrorCode.CONFLICT.fault(
        "message %s cannot be withdrawn: %s".formatted(message.id(), why),
        "see the status of the message: substrat message show " + message.id());
  }

  private static Message require(Tx tx, MessageId id) {
    return MessageTable.find(tx, id)
        .orElseThrow(() ->
            ErrorCode.MESSAGE_NOT_FOUND.fault(
                "message " + id + " not found", "list messages with: substrat message list"));
  }
}
