package dev.substrat.messaging.message;

import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetTable;
import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.messaging.inbox.TurnSubject;
import dev.substrat.messaging.message.Message.MessageKind;
import dev.substrat.messaging.message.MessageDraft.MessageSender;
import dev.substrat.messaging.message.OpenQuestions.WaitingSender;
import dev.substrat.messaging.message.PendingReplies.PendingReply;
import dev.substrat.messaging.message.Recipients.Recipient;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.TurnFence;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Messages sent by agents: to neighbours in the tree, each verb one transaction, fenced by the
/// turn.
public final class AgentMessages {
  private final Database database;
  private final Outbox outbox;
  private final ReplyMatching replies;
  private final InstantSource clock;

  AgentMessages(Database database, Outbox outbox, ReplyMatching replies, InstantSource clock) {
    this.database = database;
    this.outbox = outbox;
    this.replies = replies;
    this.clock = clock;
  }

  /// A message that an agent sends. It asks for a reply unless `sync` is false; a message that
  /// answers a question never does, whatever `sync` is.
  public record MessageRequest(
      String recipient, String text, @Nullable Boolean sync, @Nullable MessageId inReplyTo) {}

  /// The result of sending a message. `stopped` is the reason why the recipient currently gets no
  /// turns, `answers` the message that this one answered, `waitingForYou` who waits for an answer
  /// of the sender.
  public record SendResult(
      MessageId id,
      boolean waiting,
      @Nullable String heldReason,
      @Nullable String stopped,
      @Nullable MessageId answers,
      List<WaitingSender> waitingForYou) {

    SendResult(
        MessageId id,
        boolean waiting,
        @Nullable String heldReason,
        @Nullable String stopped,
        @Nullable MessageId answers) {
      this(id, waiting, heldReason, stopped, answers, List.of());
    }

    private SendResult andWaiting(List<WaitingSender> others) {
      return new SendResult(id, waiting, heldReason, stopped, answers, others);
    }
  }

  public SendResult send(ToolCaller caller, MessageRequest input, @Nullable String idempotencyKey) {
    requireText(input.text());
    return database.transact(
        tx -> send(tx, caller, input, idempotencyKey).andWaiting(waitingFor(tx, caller)));
  }

  private SendResult send(
      Tx tx, ToolCaller caller, MessageRequest input, @Nullable String idempotencyKey) {
    TurnFence.require(tx, caller);
    Optional<Message> earlier = earlier(tx, caller, idempotencyKey);
    if (earlier.isPresent()) {
      return again(tx, earlier.get(), input);
    }
    Recipient recipient = Recipients.of(tx, caller, input);
    requireKnown(tx, input.inReplyTo(), caller.agent().id().value(), recipient.key());
    Optional<PendingReply> open = answered(tx, caller, recipient.key(), input.inReplyTo());
    if (open.isPresent()) {
      removeAnswered(tx, caller, open.get());
      Message reply =
          replies.answer(
              tx, sender(tx, caller, open.get()), open.get(), input.text(), idempotencyKey);
      return new SendResult(reply.id(), false, null, null, reply.inReplyTo());
    }
    boolean asks = !Boolean.FALSE.equals(input.sync()) && !isReply(tx, input.inReplyTo());
    var draft = MessageDraft.of(MessageKind.MESSAGE, sender(tx, caller), recipient, input.text());
    if (input.inReplyTo() != null) {
      draft = draft.answering(input.inReplyTo());
    }
    return ask(tx, caller, asks ? draft.asking() : draft, idempotencyKey);
  }

  /// A reply is never a question, even if it is too late to answer anything. A message after a
  /// reply continues the conversation, for example after a counter-question: it is a question like
  /// any other.
  private static boolean isReply(Tx tx, @Nullable MessageId named) {
    return named != null
        && MessageTable.find(tx, named)
            .filter(message -> message.kind() == MessageKind.REPLY)
            .isEmpty();
  }

  /// The question or broadcast that a message of the caller answers, if it answers one.
  static Optional<PendingReply> answered(
      Tx tx, ToolCaller caller, String recipient, @Nullable MessageId named) {
    String self = caller.agent().id().value();
    if (named != null) {
      return ReplyMatching.named(tx, self, recipient, named);
    }
    return caller.isExternal()
        ? PendingReplies.next(tx, self, recipient)
        : PendingReplies.nextInTurn(
            tx, self, recipient, RunInputEvents.chain(tx, caller).subject(), caller.turn());
  }

  /// Removes a question from the inbox that a turn about something else answers: it needs no turn
  /// of its own.
  private void removeAnswered(Tx tx, ToolCaller caller, PendingReply open) {
    if (!caller.isExternal() && open.isQuestion()) {
      Inbox.findUnclaimed(tx, caller.agent().id(), open.question())
          .ifPresent(event -> {
            Inbox.remove(tx, event);
            MessageTable.mark(tx, open.question(), Message.MessageStatus.INJECTED, clock.instant());
          });
    }
  }

  private SendResult ask(
      Tx tx, ToolCaller caller, MessageDraft draft, @Nullable String idempotencyKey) {
    String held = LoopGuards.check(tx, draft).orElse(null);
    Message message = outbox.send(tx, draft.held(held), idempotencyKey).orElseThrow();
    boolean waits = draft.sync() && held == null;
    if (waits) {
      PendingReplies.open(tx, message, true, clock.instant());
    }
    if (waits && draft.recipient().equals(Principal.OPERATOR_NAME)) {
      // A person can read a message at any time.
      PendingReplies.shown(tx, message.id(), 0, clock.instant());
    }
    if (draft.sync() && held != null) {
      replies.sendHeldNotice(tx, caller, message, held);
    }
    String stopped =
        BudgetTable.findStop(tx, new AgentId(draft.recipient())).map(Budget::reason).orElse(null);
    return new SendResult(message.id(), waits, held, stopped, null);
  }

  /// Message sent earlier with this key, perhaps by an attempt that died.
  private static Optional<Message> earlier(
      Tx tx, ToolCaller caller, @Nullable String idempotencyKey) {
    return idempotencyKey == null
        ? Optional.empty()
        : MessageTable.findByKey(tx, caller.agent().id().value(), idempotencyKey);
  }

  private static SendResult again(Tx tx, Message message, MessageRequest input) {
    if (!message.text().equals(input.text()) || !isTo(tx, input.recipient(), message)) {
      throw ErrorCode.CONFLICT.fault(
          "this idempotency key was used for another message", "use a new key for a new message");
    }
    return new SendResult(
        message.id(),
        message.sync() && message.heldReason() == null,
        message.heldReason(),
        null,
        message.kind() == MessageKind.REPLY ? message.inReplyTo() : null);
  }

  private static boolean isTo(Tx tx, String name, Message message) {
    return message.recipient().equals(Principal.OPERATOR_NAME)
        ? Recipients.isPerson(name)
        : AgentTree.find(tx, message.recipient()).filter(agent -> agent.isCalled(name)).isPresent();
  }

  /// A named message must be one between the two, or the broadcast of one of them.
  private static void requireKnown(
      Tx tx, @Nullable MessageId named, String sender, String recipient) {
    if (named != null && !ReplyMatching.isBetween(tx, named, sender, recipient)) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/in_reply_to is not a message between you and the recipient",
          "omit the argument, or use the message_id of an open question");
    }
  }

  /// The other side of a message that the agent sent or received, as a recipient is named.
  Optional<String> findOther(ToolCaller caller, MessageId id) {
    String self = caller.agent().id().value();
    return database
        .read(tx -> MessageTable.find(tx, id))
        .filter(message -> List.of(message.sender(), message.recipient()).contains(self))
        .map(message -> message.sender().equals(self) ? message.recipient() : message.sender());
  }

  /// Rejects a message without an address while the agent has a question to answer: the answer
  /// could be posted where others read it.
  void requireNoQuestion(ToolCaller caller) {
    database
        .read(tx -> {
          String self = caller.agent().id().value();
          Stream<PendingReply> owed =
              caller.isExternal()
                  ? PendingReplies.answerable(tx, self, clock.instant()).stream()
                  : Stream.concat(
                      completed(tx, caller, null).stream(),
                      PendingReplies.shownIn(tx, self, caller.turn()).stream());
          return owed.findFirst().map(open -> OpenQuestions.name(tx, open.asker()));
        })
        .ifPresent(asker -> {
          throw ErrorCode.INVALID_ARGUMENTS.fault(
              "it is not clear where the message goes: %s waits for your answer".formatted(asker),
              """
              to answer, add "recipient": "%s"; to post in a space, add "recipient": "#" and the id of \
              the space, for example "#general"\
              """
                  .formatted(asker));
        });
  }

  /// One copy for each sibling; each may answer, and the sender does not wait. Its id is that of
  /// the first copy.
  public BroadcastResult broadcast(
      ToolCaller caller, String text, @Nullable String idempotencyKey) {
    requireText(text);
    return database.transact(tx -> {
      TurnFence.require(tx, caller);
      Optional<Message> first = earlier(tx, caller, idempotencyKey);
      if (first.isPresent()) {
        MessageId id = first.get().id();
        return new BroadcastResult(id, MessageTable.copies(tx, id), null, waitingFor(tx, caller));
      }
      List<Agent> siblings = AgentTree.siblings(tx, caller.agent());
      if (siblings.isEmpty()) {
        throw ErrorCode.NO_RECIPIENTS.fault(
            "you have no siblings to broadcast to",
            "write to your parent or children with send_message");
      }
      return broadcast(tx, caller, siblings, text, idempotencyKey);
    });
  }

  private BroadcastResult broadcast(
      Tx tx,
      ToolCaller caller,
      List<Agent> siblings,
      String text,
      @Nullable String idempotencyKey) {
    MessageId id = null;
    String held = null;
    for (Agent sibling : siblings) {
      var draft =
          MessageDraft.of(MessageKind.BROADCAST, sender(tx, caller), sibling.id().value(), text);
      held = LoopGuards.check(tx, draft).orElse(held);
      draft = draft.held(held);
      Message copy =
          id == null
              ? outbox.send(tx, draft, idempotencyKey).orElseThrow()
              : outbox.send(tx, draft.inBroadcast(id));
      if (id == null) {
        id = copy.id();
        MessageTable.startBroadcast(tx, id);
      }
      PendingReplies.open(tx, copy, false, clock.instant());
    }
    return new BroadcastResult(
        Objects.requireNonNull(id), siblings.size(), held, waitingFor(tx, caller));
  }

  /// Wakes a neighbour with a text that is neither an answer nor a question.
  public void wake(ToolCall call, String name, String text) {
    ToolCaller caller = call.caller();
    database.transact(tx -> {
      TurnFence.require(tx, caller);
      if (earlier(tx, caller, call.idempotencyKey()).isEmpty()) {
        Recipient recipient = Recipients.named(tx, caller.agent(), name);
        var draft = MessageDraft.of(MessageKind.MESSAGE, sender(tx, caller), recipient, text);
        ask(tx, caller, draft, call.idempotencyKey());
      }
      return true;
    });
  }

  /// Sends the result of an agent's work. It answers the question of the turn; without one, it is
  /// sent to the parent, or to the operator if there is no parent. An external agent answers the
  /// question it names, or the only one it was shown.
  public CompletionResult complete(ToolCall call, String text, @Nullable MessageId named) {
    requireText(text);
    return database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      Message sent = complete(tx, call, text, named);
      boolean isReply = sent.kind() == MessageKind.REPLY;
      return new CompletionResult(
          isReply ? sent.inReplyTo() : null,
          isReply ? null : OpenQuestions.name(tx, sent.recipient()),
          sent.heldReason(),
          waitingFor(tx, call.caller()));
    });
  }

  /// Outcome of a completion: the question that it answered, or the `recipient` it was sent to.
  public record CompletionResult(
      @Nullable MessageId answers,
      @Nullable String recipient,
      @Nullable String heldReason,
      List<WaitingSender> waitingForYou) {}

  private Message complete(Tx tx, ToolCall call, String text, @Nullable MessageId named) {
    ToolCaller caller = call.caller();
    Optional<Message> before = earlier(tx, caller, call.idempotencyKey());
    if (before.isPresent()) {
      return before.get();
    }
    Optional<PendingReply> open = completed(tx, caller, named);
    if (open.isPresent()) {
      removeAnswered(tx, caller, open.get());
      MessageSender sender = sender(tx, caller, open.get());
      return replies.answer(tx, sender, open.get(), text, call.idempotencyKey());
    }
    AgentId parent = caller.agent().parent();
    String recipient = parent == null ? Principal.OPERATOR_NAME : parent.value();
    var draft = MessageDraft.of(MessageKind.MESSAGE, sender(tx, caller), recipient, text);
    if (parent != null) {
      draft = draft.about(wantedFor(tx, caller, recipient));
    }
    SendResult sent = ask(tx, caller, draft, call.idempotencyKey());
    return MessageTable.find(tx, sent.id()).orElseThrow();
  }

  /// The question that `complete` answers, if there is one.
  private Optional<PendingReply> completed(Tx tx, ToolCaller caller, @Nullable MessageId named) {
    String self = caller.agent().id().value();
    if (named != null) {
      return Optional.of(
          PendingReplies.find(tx, named, self)
              .filter(PendingReply::isQuestion)
              .orElseThrow(() ->
                  ErrorCode.INVALID_ARGUMENTS.fault(
                      "/in_reply_to is not an open question to you: " + named,
                      "omit the argument, or use the message_id of an open question")));
    }
    if (!caller.isExternal()) {
      return TurnSubject.findQuestion(RunInputEvents.chain(tx, caller).subject())
          .flatMap(question -> PendingReplies.find(tx, question, self));
    }
    List<PendingReply> open = PendingReplies.answerable(tx, self, clock.instant());
    if (open.size() > 1) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/in_reply_to is required because several questions are open",
          "use one of: "
              + String.join(", ", open.stream().map(one -> one.question().value()).toList()));
    }
    return open.stream().findFirst();
  }

  /// The subject of the parent for the result: that of its message which started this turn, else of
  /// its newest message to the agent, else of its turn that spawned the agent.
  private static @Nullable String wantedFor(Tx tx, ToolCaller caller, String parent) {
    String self = caller.agent().id().value();
    Optional<Message> task =
        Optional.ofNullable(RunInputEvents.chain(tx, caller).cause())
            .flatMap(cause -> MessageTable.find(tx, cause))
            .filter(message -> message.sender().equals(parent))
            .filter(message -> message.recipient().equals(self))
            .or(() -> MessageTable.findNewest(tx, parent, self));
    return task.isPresent() ? task.get().subject() : spawnedFor(tx, caller.agent().id());
  }

  private static @Nullable String spawnedFor(Tx tx, AgentId agent) {
    return tx.find(
            """
            select run.id from agent
              join run on run.agent_id = agent.parent_id and run.turn_no = agent.born_in_turn
            where agent.id = ?
            """,
            row -> RunInputEvents.chain(tx, new RunId(row.text("id"))),
            agent.value())
        .map(RunInputEvents.ChainPosition::subject)
        .orElse(null);
  }

  /// A broadcast that was sent.
  public record BroadcastResult(
      MessageId id,
      int recipients,
      @Nullable String heldReason,
      List<WaitingSender> waitingForYou) {}

  private static List<WaitingSender> waitingFor(Tx tx, ToolCaller caller) {
    return OpenQuestions.waitingFor(tx, caller.agent().id());
  }

  static MessageSender sender(Tx tx, ToolCaller caller) {
    Agent agent = caller.agent();
    var chain = RunInputEvents.chain(tx, caller);
    return new MessageSender(
        agent.id().value(),
        agent.name(),
        agent.handle(),
        chain.cause(),
        chain.depth() + 1,
        // An external agent has no turns in which it could answer.
        caller.isExternal() ? null : caller.run(),
        chain.subject());
  }

  /// The sender of an answer. If it answers another question than the turn's, depth and cause are
  /// those of that question.
  private static MessageSender sender(Tx tx, ToolCaller caller, PendingReply open) {
    MessageSender sender = sender(tx, caller);
    if (open.question().value().equals(sender.subject())) {
      return sender;
    }
    int depth = MessageTable.find(tx, open.question()).map(Message::depth).orElse(0);
    return new MessageSender(
        sender.key(),
        sender.name(),
        sender.handle(),
        open.question(),
        depth + 1,
        sender.run(),
        sender.subject());
  }

  private static void requireText(String text) {
    if (text.isBlank()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault("/text is empty", "set a text");
    }
  }
}
