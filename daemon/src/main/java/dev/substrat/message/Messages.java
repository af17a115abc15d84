package dev.substrat.message;

import dev.substrat.event.EventLog;
import dev.substrat.event.NewEvent;
import dev.substrat.fault.Fault;
import dev.substrat.id.AgentId;
import dev.substrat.id.MessageId;
import dev.substrat.id.Principal;
import dev.substrat.inbox.Inbox;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.json.Json;
import dev.substrat.message.Message.Status;
import dev.substrat.message.Message.Step;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.Agents;
import dev.substrat.tool.Caller;
import dev.substrat.tool.Fence;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Sending mail and knowing where it is.
///
/// Each verb is one transaction that writes the message, the recipient's inbox event and the log's
/// event together; whoever is told "sent" is told so after the commit.
public final class Messages {
  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  public Messages(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  /// A person writes to an agent. The same idempotency key again finds the same message.
  public Message fromOperator(
      String agent, String text, boolean sync, @Nullable String idempotencyKey) {
    requireText(text);
    return database.transact(tx -> {
      var recipient = Agents.require(tx, agent);
      var message = fresh(Principal.OPERATOR_NAME, recipient.id().value(), text, sync, null, 0);
      if (!MessageTable.insert(tx, message, idempotencyKey)) {
        return earlier(tx, message, idempotencyKey);
      }
      deliver(tx, message, Principal.OPERATOR_NAME, recipient, InboxEvent.Kind.MESSAGE);
      if (sync) {
        PendingReplies.open(tx, message, clock.instant());
      }
      return message;
    });
  }

  /// An agent writes to somebody one hop away. If that one waits for the agent's answer, this is
  /// it, unless the agent explicitly asks something back (`sync` is true).
  public Message fromAgent(
      Caller caller, String recipientName, String text, @Nullable Boolean sync) {
    requireText(text);
    return database.transact(tx -> {
      Fence.require(tx, caller);
      Agent recipient = reachable(tx, caller.agent(), recipientName);
      Optional<MessageId> question =
          Boolean.TRUE.equals(sync)
              ? Optional.empty()
              : PendingReplies.oldest(tx, caller.agent().id().value(), recipient.id().value());
      if (question.isPresent()) {
        return reply(tx, caller, recipient.id().value(), question.get(), text);
      }
      boolean asks = sync == null || sync;
      var message =
          fresh(
              caller.agent().id().value(),
              recipient.id().value(),
              text,
              asks,
              null,
              caller.depth() + 1);
      MessageTable.insert(tx, message, null);
      deliver(tx, message, caller.agent().name(), recipient, InboxEvent.Kind.MESSAGE);
      if (asks) {
        PendingReplies.open(tx, message, clock.instant());
      }
      return message;
    });
  }

  /// Answers `question`: the reply is stored, delivered to whoever asked, and the wait is over.
  Message reply(Tx tx, Caller caller, String asker, MessageId question, String text) {
    String sender = caller.agent().id().value();
    var message = fresh(sender, asker, text, false, question, caller.depth() + 1);
    MessageTable.insert(tx, message, null);
    PendingReplies.close(tx, question);
    MessageTable.mark(tx, question, Status.REPLIED, clock.instant());
    if (asker.equals(Principal.OPERATOR_NAME)) {
      announce(tx, message, caller.agent().handle(), Principal.OPERATOR_NAME);
    } else {
      Agents.find(tx, asker)
          .filter(Agent::isAlive)
          .ifPresent(recipient ->
              deliver(tx, message, caller.agent().name(), recipient, InboxEvent.Kind.REPLY));
    }
    events.append(
        tx,
        NewEvent.of("message_replied")
            .about(sender)
            .and(asker)
            .with("message_id", question.value())
            .with("reply_id", message.id().value()));
    return message;
  }

  private void deliver(
      Tx tx, Message message, String senderName, Agent recipient, InboxEvent.Kind kind) {
    var payload =
        Json.object()
            .put("kind", kind.toString())
            .put("from", senderName)
            .put("text", message.text())
            .put("message_id", message.id().value())
            .put("depth", message.depth());
    if (message.inReplyTo() != null) {
      payload.put("in_reply_to", message.inReplyTo().value());
    }
    var event = new InboxEvent(message.id().value(), kind, message.id(), payload, 0);
    Inbox.put(tx, recipient.id(), event, clock.instant());
    String sender =
        Agents.find(tx, message.sender()).map(Agent::handle).orElse(Principal.OPERATOR_NAME);
    announce(tx, message, sender, recipient.handle());
  }

  private void announce(Tx tx, Message message, String sender, String recipient) {
    events.append(
        tx,
        NewEvent.of("message_sent")
            .about(message.recipient())
            .and(message.sender())
            .with("message_id", message.id().value())
            .with("from", sender)
            .with("to", recipient)
            .with("text", message.text())
            .with("sync", message.sync())
            .with("in_reply_to", message.inReplyTo() == null ? null : message.inReplyTo().value()));
  }

  public Message require(MessageId id) {
    return database
        .read(tx -> MessageTable.find(tx, id))
        .orElseThrow(() ->
            new Fault(ErrorCode.MESSAGE_NOT_FOUND, "there is no message " + id, "check the id"));
  }

  public Optional<Message> findReply(MessageId question) {
    return database.read(tx -> MessageTable.findReply(tx, question));
  }

  /// The newest mail from and to an agent, oldest first.
  public List<Message> of(AgentId agent, int limit) {
    return database.read(tx -> MessageTable.of(tx, agent.value(), limit));
  }

  /// The operator's newest mail, oldest first.
  public List<Message> newestToOperator(int limit) {
    return database.read(tx -> MessageTable.newestTo(tx, Principal.OPERATOR_NAME, limit));
  }

  /// The operator's mail after message `after` ("" for all), oldest first.
  public List<Message> toOperator(String after, int limit) {
    return database.read(tx -> MessageTable.to(tx, Principal.OPERATOR_NAME, after, limit));
  }

  private static Agent reachable(Tx tx, Agent sender, String name) {
    List<Agent> near = Agents.reachable(tx, sender);
    return near.stream()
        .filter(one -> one.name().equalsIgnoreCase(name) || one.handle().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new Fault(
                ErrorCode.RECIPIENT_UNREACHABLE,
                "you cannot write to \"" + name + "\"",
                near.isEmpty()
                    ? "you have no parent, children or siblings"
                    : "you can write to "
                        + String.join(", ", near.stream().map(Agent::name).toList())));
  }

  private static Message earlier(Tx tx, Message wanted, @Nullable String idempotencyKey) {
    if (idempotencyKey == null) {
      throw new IllegalStateException("a fresh id was taken: " + wanted.id());
    }
    Message earlier = MessageTable.findByKey(tx, wanted.sender(), idempotencyKey).orElseThrow();
    if (!earlier.recipient().equals(wanted.recipient())
        || !earlier.text().equals(wanted.text())
        || earlier.sync() != wanted.sync()) {
      throw new Fault(
          ErrorCode.CONFLICT,
          "this idempotency key was used for another message",
          "use a new key for a new message");
    }
    return earlier;
  }

  private Message fresh(
      String sender,
      String recipient,
      String text,
      boolean sync,
      @Nullable MessageId inReplyTo,
      int depth) {
    return new Message(
        MessageId.random(),
        sender,
        recipient,
        text,
        sync,
        inReplyTo,
        depth,
        Status.STORED,
        List.of(new Step(Status.STORED, clock.instant())),
        null);
  }

  private static void requireText(String text) {
    if (text.isBlank()) {
      throw new Fault(ErrorCode.INVALID_ARGUMENTS, "/text is empty", "say something");
    }
  }
}
