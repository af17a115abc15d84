package dev.substrat.message;

import dev.substrat.event.EventLog;
import dev.substrat.event.NewEvent;
import dev.substrat.fault.Fault;
import dev.substrat.id.MessageId;
import dev.substrat.message.Message.Kind;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.Tree;
import java.time.InstantSource;

/// Mail that came to nothing, and a second chance for it.
public final class DeadLetters {
  private final Database database;
  private final EventLog events;
  private final InstantSource clock;
  private final Outbox outbox;

  DeadLetters(Database database, EventLog events, InstantSource clock, Outbox outbox) {
    this.database = database;
    this.events = events;
    this.clock = clock;
    this.outbox = outbox;
  }

  /// A person has it delivered again. It is the same message: whoever asked, and was told that
  /// there will be no answer, gets one to the question they know.
  public Message retry(MessageId id) {
    return database.transact(tx -> {
      Message message =
          MessageTable.find(tx, id)
              .orElseThrow(() ->
                  new Fault(
                      ErrorCode.MESSAGE_NOT_FOUND, "there is no message " + id, "check the id"));
      Agent recipient = requireRecipient(tx, message);
      if (MessageTable.isInInbox(tx, id)) {
        throw new Fault(
            ErrorCode.CONFLICT,
            "message " + id + " still is in the inbox of " + recipient.handle(),
            "it will be read with the next turn");
      }
      if (!MessageTable.revive(tx, id)) {
        throw new Fault(
            ErrorCode.CONFLICT,
            "message " + id + " did not come to nothing",
            "only one that is dead or expired can be tried again");
      }
      outbox.again(tx, message, recipient);
      if (message.sync() || message.kind() == Kind.BROADCAST) {
        PendingReplies.open(tx, message, message.sync(), clock.instant());
      }
      events.append(
          tx,
          NewEvent.of("message_retried")
              .about(message.recipient())
              .and(message.sender())
              .with("message_id", id.value()));
      return MessageTable.find(tx, id).orElseThrow();
    });
  }

  /// Whoever ends the recipient meanwhile waits, and then finds this mail.
  private static Agent requireRecipient(Tx tx, Message message) {
    return Tree.find(tx, message.recipient())
        .filter(agent -> Tree.holdAlive(tx, agent.id()))
        .orElseThrow(() ->
            new Fault(
                ErrorCode.CONFLICT,
                "the recipient of message " + message.id() + " is not there any more",
                "write to somebody else"));
  }
}
