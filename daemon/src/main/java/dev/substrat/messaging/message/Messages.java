package dev.substrat.messaging.message;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.TurnSubject;
import dev.substrat.messaging.message.Message.MessageKind;
import dev.substrat.messaging.message.MessageDraft.MessageSender;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventDetails;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.AgentTree;
import dev.substrat.team.Agents;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Messages from a person's view: send to agents, track delivery, release held messages.
public final class Messages {
  private static final int READ_AT_ONCE = 500;

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;
  private final Outbox outbox;
  private final ReplyMatching replies;

  public Messages(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
    this.outbox = new Outbox(events, clock);
    this.replies = new ReplyMatching(outbox, events, clock);
  }

  /// Messages of agents.
  public AgentMessages agentMessages() {
    return new AgentMessages(database, outbox, replies, clock);
  }

  /// Delivery in turns.
  public TurnDelivery delivery() {
    return new TurnDelivery(replies, events, clock);
  }

  /// Notices about budgets.
  public BudgetNotices budgetNotices() {
    return new BudgetNotices(replies, events);
  }

  /// Inbox reads of external agents.
  public ExternalInboxReads externalReads() {
    return new ExternalInboxReads(database, delivery(), clock);
  }

  /// Lists of messages, for people.
  public MessageHistory history() {
    return new MessageHistory(database);
  }

  /// Completes the events that report sent messages.
  public EventDetails eventDetails() {
    return new SentMessageDetails();
  }

  /// Undeliverable and withdrawn messages.
  public DeadLetters deadLetters() {
    return new DeadLetters(database, events, clock, outbox);
  }

  /// Message of a person to an agent.
  public record PersonMessage(String text, boolean sync, @Nullable MessageId inReplyTo) {}

  /// Sends a message of a person to an agent. If the agent waits for an answer of that person, the
  /// message is the answer, whatever `sync` is. Otherwise it asks for a reply, or joins the subject
  /// of the running turn if `sync` is false. The same idempotency key returns the same message.
  public Message fromOperator(String agent, PersonMessage note, @Nullable String idempotencyKey) {
    if (note.text().isBlank()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault("/text is empty", "set a text");
    }
    return database.transact(tx -> {
      String recipient = Agents.holdAlive(tx, agent).id().value();
      var person = new MessageSender(Principal.OPERATOR_NAME, Principal.OPERATOR_NAME, null, 0);
      var draft = MessageDraft.of(MessageKind.MESSAGE, person, recipient, note.text());
      Optional<Message> before = earlier(tx, draft, note, idempotencyKey);
      if (before.isPresent()) {
        return before.get();
      }
      requireKnown(tx, note.inReplyTo(), recipient);
      var open =
          note.inReplyTo() == null
              ? PendingReplies.next(tx, Principal.OPERATOR_NAME, recipient)
              : ReplyMatching.named(tx, Principal.OPERATOR_NAME, recipient, note.inReplyTo());
      if (open.isPresent()) {
        return replies.answer(tx, person, open.get(), note.text(), idempotencyKey);
      }
      Message sent =
          outbox
              .send(
                  tx,
                  note.sync() ? draft.asking() : draft.about(subjectAtWork(tx, recipient)),
                  idempotencyKey)
              .orElseThrow();
      if (note.sync()) {
        PendingReplies.open(tx, sent, true, clock.instant());
      }
      return sent;
    });
  }

  /// A named message must be one between the person and the agent.
  private static void requireKnown(Tx tx, @Nullable MessageId named, String agent) {
    if (named != null && !ReplyMatching.isBetween(tx, named, Principal.OPERATOR_NAME, agent)) {
      String handle = AgentTree.require(tx, agent).handle();
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/in_reply_to is not a message between you and " + handle,
          "omit the key, or use the message_id of a message from %s (GET /api/inbox)"
              .formatted(handle));
    }
  }

  /// The subject of the agent's running turn, which a message that asks for no reply joins.
  private static @Nullable String subjectAtWork(Tx tx, String agent) {
    return tx
        .list(
            """
            select run.subject from run join agent
              on agent.id = run.agent_id and agent.turn_no = run.turn_no
            where run.agent_id = ? and run.status = 'running' and agent.lease_until >
            """
                + tx.dialect().now(),
            row -> Optional.ofNullable(row.textOrNull("subject")),
            agent)
        .stream()
        .flatMap(Optional::stream)
        // A private message of a person does not become part of a space's conversation.
        .filter(subject -> !(TurnSubject.parse(subject) instanceof TurnSubject.SpaceSubject))
        .findFirst()
        .orElse(null);
  }

  private static Optional<Message> earlier(
      Tx tx, MessageDraft draft, PersonMessage note, @Nullable String idempotencyKey) {
    if (idempotencyKey == null) {
      return Optional.empty();
    }
    Optional<Message> earlier = MessageTable.findByKey(tx, draft.sender(), idempotencyKey);
    if (earlier.isPresent()
        && (!earlier.get().recipient().equals(draft.recipient())
            || !earlier.get().text().equals(draft.text())
            || (earlier.get().kind() == MessageKind.MESSAGE
                && earlier.get().sync() != note.sync()))) {
      throw ErrorCode.CONFLICT.fault(
          "this idempotency key was used for another message", "use a new key for a new message");
    }
    return earlier;
  }

  public Optional<Message> find(MessageId id) {
    return database.read(tx -> MessageTable.find(tx, id));
  }

  public Message require(MessageId id) {
    return find(id)
        .orElseThrow(() ->
            ErrorCode.MESSAGE_NOT_FOUND.fault(
                "message " + id + " not found", "list messages with: substrat message list"));
  }

  public Optional<Message> findReply(MessageId question) {
    return database.read(tx -> MessageTable.findReply(tx, question));
  }

  /// All messages after message `after` ("" for all), oldest first.
  public List<Message> all(String after, int limit) {
    return database.read(tx -> MessageTable.all(tx, after, limit));
  }

  /// The newest messages from and to an agent, oldest first.
  public List<Message> of(AgentId agent, int limit) {
    return before(agent, "", limit);
  }

  /// The last ones before message `before` ("" for the newest), oldest first.
  public List<Message> before(AgentId agent, String before, int limit) {
    String until = before.isEmpty() ? MessageHistory.AFTER_ALL : before;
    return database.read(tx -> MessageTable.of(tx, agent.value(), until, limit));
  }

  /// The same, as part of something larger.
  public List<Message> of(Tx tx, AgentId agent, int limit) {
    return MessageTable.of(tx, agent.value(), MessageHistory.AFTER_ALL, limit);
  }

  /// The operator's newest messages, oldest first.
  public List<Message> newestToOperator(int limit) {
    return database.read(tx -> MessageTable.newestTo(tx, Principal.OPERATOR_NAME, limit));
  }

  /// The operator's messages after message `after` ("" for all), oldest first.
  public List<Message> toOperator(String after, int limit) {
    return database.read(tx -> MessageTable.to(tx, Principal.OPERATOR_NAME, after, limit));
  }

  /// The operator's unread messages, oldest first.
  public List<Message> unreadByOperator(int limit) {
    return database.read(tx -> MessageTable.unread(tx, limit));
  }

  /// The number of the operator's unread messages, up to [MessageHistory#MANY].
  public long countUnreadByOperator() {
    return database.read(tx -> MessageTable.countUnread(tx, MessageHistory.MANY));
  }

  /// Marks everything up to `upTo` as read by the operator; returns how many were unread. Many
  /// messages take several transactions: other writers need not wait for all of them, and the
  /// write-ahead log is copied between them.
  public int readByOperator(MessageId upTo) {
    requireInInbox(upTo);
    int all = 0;
    int read;
    do {
      read = read(upTo, tx -> MessageTable.readUpTo(tx, upTo, READ_AT_ONCE, clock.instant()));
      all += read;
    } while (read == READ_AT_ONCE);
    return all;
  }

  /// Marks one message as read by the operator; returns 1 if it was unread.
  public int readOneByOperator(MessageId message) {
    requireInInbox(message);
    return read(message, tx -> MessageTable.readOne(tx, message, clock.instant()));
  }

  private void requireInInbox(MessageId message) {
    if (!require(message).recipient().equals(Principal.OPERATOR_NAME)) {
      throw ErrorCode.MESSAGE_NOT_FOUND.fault(
          "message " + message + " is not in your inbox", "list your inbox with: GET /api/inbox");
    }
  }

  private int read(MessageId upTo, Function<Tx, Integer> marking) {
    return database.transact(tx -> {
      int read = marking.apply(tx);
      if (read > 0) {
        events.append(
            tx, NewEvent.of("inbox_read").with("upTo", upTo.value()).with("messages", read));
      }
      return read;
    });
  }

  /// Held messages, oldest first.
  public List<Message> held(int limit) {
    return held("", limit);
  }

  /// Held messages after message `after` ("" for all), oldest first.
  public List<Message> held(String after, int limit) {
    return database.read(tx -> MessageTable.held(tx, after, limit));
  }

  /// Releases a held message: it wakes its recipient; if it is a question, the asker waits from now
  /// on.
  public void release(MessageId id) {
    database.transact(tx -> {
      MessageTable.lock(tx, id);
      Message message = MessageTable.find(tx, id).orElse(null);
      if (message == null || message.heldReason() == null) {
        throw ErrorCode.CONFLICT.fault(
            "message %s is not held".formatted(id),
            "see the status of the message: substrat message show %1$s (GET /api/messages/%1$s)"
                .formatted(id));
      }
      MessageTable.release(tx, id);
      // A person has no inbox event: the message is in their inbox at any time.
      boolean isForPerson = message.recipient().equals(Principal.OPERATOR_NAME);
      if ((Inbox.release(tx, id) || isForPerson) && message.sync()) {
        PendingReplies.open(tx, message, true, clock.instant());
        Inbox.becomesQuestion(tx, id);
      }
      if (isForPerson) {
        PendingReplies.shown(tx, id, 0, clock.instant());
      }
      events.append(
          tx,
          NewEvent.of("message_released")
              .about(message.recipient())
              .and(message.sender())
              .with("message_id", id.value()));
      return true;
    });
  }

  /// Notifies senders whose questions expired; returns how many.
  public int expire() {
    var now = clock.instant();
    if (database.read(tx -> PendingReplies.overdue(tx, now)).isEmpty()) {
      return 0;
    }
    return database.transact(tx -> {
      var overdue = PendingReplies.overdue(tx, now);
      overdue.forEach(open ->
          replies.closeUnanswered(
              tx, open, Message.MessageStatus.EXPIRED, "the deadline for an answer has passed"));
      return overdue.size();
    });
  }
}
