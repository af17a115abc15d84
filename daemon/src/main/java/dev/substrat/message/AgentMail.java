package dev.substrat.message;

import dev.substrat.budget.Budget;
import dev.substrat.budget.BudgetTable;
import dev.substrat.fault.Fault;
import dev.substrat.id.AgentId;
import dev.substrat.id.MessageId;
import dev.substrat.id.Principal;
import dev.substrat.inbox.RunInput;
import dev.substrat.message.Draft.Sender;
import dev.substrat.message.Message.Kind;
import dev.substrat.message.PendingReplies.Open;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.Tree;
import dev.substrat.tool.Call;
import dev.substrat.tool.Caller;
import dev.substrat.tool.Fence;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Mail as agents send it: one hop along the tree, each verb one transaction, fenced by the turn.
public final class AgentMail {
  private final Database database;
  private final Outbox outbox;
  private final Replies replies;
  private final InstantSource clock;

  AgentMail(Database database, Outbox outbox, Replies replies, InstantSource clock) {
    this.database = database;
    this.outbox = outbox;
    this.replies = replies;
    this.clock = clock;
  }

  /// What an agent wants to say. Without `sync` it asks, unless the recipient waits for its answer.
  public record Letter(
      String recipient, String text, @Nullable Boolean sync, @Nullable MessageId inReplyTo) {}

  /// What became of it; `stopped` is why the recipient gets no turns for now.
  public record Sent(
      MessageId id, boolean waiting, @Nullable String heldReason, @Nullable String stopped) {

    Sent(MessageId id, boolean waiting, @Nullable String heldReason) {
      this(id, waiting, heldReason, null);
    }
  }

  public Sent send(Caller caller, Letter letter, @Nullable String idempotencyKey) {
    requireText(letter.text());
    return database.transact(tx -> send(tx, caller, letter, idempotencyKey));
  }

  private Sent send(Tx tx, Caller caller, Letter letter, @Nullable String idempotencyKey) {
    Fence.require(tx, caller);
    Optional<Message> earlier = earlier(tx, caller, idempotencyKey);
    if (earlier.isPresent()) {
      return again(tx, earlier.get(), letter);
    }
    String recipient = Recipients.of(tx, caller.agent(), letter);
    requireKnown(tx, letter.inReplyTo(), caller.agent().id().value(), recipient);
    boolean isCounterQuestion = Boolean.TRUE.equals(letter.sync());
    Optional<Open> open =
        Replies.matching(
            tx, caller.agent().id().value(), recipient, letter.inReplyTo(), isCounterQuestion);
    if (open.isPresent()) {
      var sender = sender(tx, caller, open.get());
      return new Sent(
          replies.answer(tx, sender, open.get(), letter.text(), idempotencyKey).id(), false, null);
    }
    // A reply opens no wait, not even one that comes too late to be it.
    boolean asks = letter.inReplyTo() == null && (letter.sync() == null || letter.sync());
    var draft = Draft.of(Kind.MESSAGE, sender(tx, caller), recipient, letter.text());
    if (letter.inReplyTo() != null) {
      draft = draft.answering(letter.inReplyTo());
    }
    return ask(tx, asks ? draft.asking() : draft, idempotencyKey);
  }

  private Sent ask(Tx tx, Draft draft, @Nullable String idempotencyKey) {
    String held = Guards.check(tx, draft).orElse(null);
    Message message = outbox.send(tx, draft.held(held), idempotencyKey).orElseThrow();
    boolean waits = draft.sync() && held == null;
    if (waits) {
      PendingReplies.open(tx, message, true, clock.instant());
    }
    if (waits && draft.recipient().equals(Principal.OPERATOR_NAME)) {
      // A person sees their mail whenever they look.
      PendingReplies.shown(tx, message.id(), clock.instant());
    }
    String stopped =
        BudgetTable.findStop(tx, new AgentId(draft.recipient())).map(Budget::reason).orElse(null);
    return new Sent(message.id(), waits, held, stopped);
  }

  /// What was sent under this key before; an attempt that died may have come so far.
  private static Optional<Message> earlier(Tx tx, Caller caller, @Nullable String idempotencyKey) {
    return idempotencyKey == null
        ? Optional.empty()
        : MessageTable.findByKey(tx, caller.agent().id().value(), idempotencyKey);
  }

  private static Sent again(Tx tx, Message message, Letter letter) {
    if (!message.text().equals(letter.text()) || !isTo(tx, letter.recipient(), message)) {
      throw new Fault(
          ErrorCode.CONFLICT,
          "this idempotency key was used for another message",
          "use a new key for a new message");
    }
    return new Sent(
        message.id(), message.sync() && message.heldReason() == null, message.heldReason());
  }

  private static boolean isTo(Tx tx, String name, Message message) {
    return message.recipient().equals(Principal.OPERATOR_NAME)
        ? Recipients.isPerson(name)
        : Tree.find(tx, message.recipient()).filter(agent -> agent.isCalled(name)).isPresent();
  }

  /// What an answer names must be a message between the two, or the broadcast of one of them.
  private static void requireKnown(
      Tx tx, @Nullable MessageId named, String sender, String recipient) {
    if (named == null) {
      return;
    }
    var pair = List.of(sender, recipient);
    boolean isTheirs =
        MessageTable.find(tx, named)
            .filter(message -> pair.contains(message.sender()))
            .filter(message -> pair.contains(message.recipient()) || message.broadcast() != null)
            .isPresent();
    if (!isTheirs) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "/in_reply_to names no message between you two",
          "leave it out, or use the message_id you were shown");
    }
  }

  /// One copy for each sibling; each may answer, nobody is waited for. It is known by the id of its
  /// first copy.
  public Broadcast broadcast(Caller caller, String text, @Nullable String idempotencyKey) {
    requireText(text);
    return database.transact(tx -> {
      Fence.require(tx, caller);
      Optional<Message> first = earlier(tx, caller, idempotencyKey);
      if (first.isPresent()) {
        return new Broadcast(first.get().id(), MessageTable.copies(tx, first.get().id()), null);
      }
      List<Agent> siblings = Tree.siblings(tx, caller.agent());
      if (siblings.isEmpty()) {
        throw new Fault(
            ErrorCode.NO_RECIPIENTS,
            "you have no siblings to broadcast to",
            "write to your parent or children with send_message");
      }
      return broadcast(tx, caller, siblings, text, idempotencyKey);
    });
  }

  private Broadcast broadcast(
      Tx tx, Caller caller, List<Agent> siblings, String text, @Nullable String idempotencyKey) {
    MessageId id = null;
    String held = null;
    for (Agent sibling : siblings) {
      var draft = Draft.of(Kind.BROADCAST, sender(tx, caller), sibling.id().value(), text);
      held = Guards.check(tx, draft).orElse(held);
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
    return new Broadcast(Objects.requireNonNull(id), siblings.size(), held);
  }

  /// Wakes somebody near with a word. It answers nothing and asks nothing.
  public void poke(Call call, String name, String text) {
    Caller caller = call.caller();
    database.transact(tx -> {
      Fence.require(tx, caller);
      if (earlier(tx, caller, call.idempotencyKey()).isEmpty()) {
        String recipient = Recipients.named(tx, caller.agent(), name);
        ask(tx, Draft.of(Kind.MESSAGE, sender(tx, caller), recipient, text), call.idempotencyKey());
      }
      return true;
    });
  }

  /// The agent is done: its result answers everyone who was shown their question, or else its
  /// parent hears it. Returns how many it answered.
  public int complete(Call call, String text) {
    requireText(text);
    Caller caller = call.caller();
    return database.transact(tx -> {
      Fence.require(tx, caller);
      Optional<Message> before = earlier(tx, caller, call.idempotencyKey());
      if (before.isPresent()) {
        return answered(tx, caller, before.get(), call.idempotencyKey());
      }
      List<Open> open = PendingReplies.answerable(tx, caller.agent().id().value(), clock.instant());
      String key = call.idempotencyKey();
      for (int i = 0; i < open.size(); i++) {
        Open wait = open.get(i);
        replies.answer(tx, sender(tx, caller, wait), wait, text, i == 0 ? key : keyOf(key, i));
      }
      if (open.isEmpty() && caller.agent().parent() != null) {
        String parent = caller.agent().parent().value();
        ask(tx, Draft.of(Kind.MESSAGE, sender(tx, caller), parent, text), key);
      }
      return open.size();
    });
  }

  /// How many answers the call made when it was made first; a word to the parent is none.
  private static int answered(Tx tx, Caller caller, Message first, @Nullable String key) {
    int answers = first.inReplyTo() == null ? 0 : 1;
    while (answers > 0 && earlier(tx, caller, keyOf(key, answers)).isPresent()) {
      answers++;
    }
    return answers;
  }

  /// Of several answers of one call, the first has the call's key and the others have one each.
  private static @Nullable String keyOf(@Nullable String key, int answer) {
    return key == null ? null : key + "#" + answer;
  }

  /// A broadcast that was sent.
  public record Broadcast(MessageId id, int recipients, @Nullable String heldReason) {}

  private static Sender sender(Tx tx, Caller caller) {
    Agent agent = caller.agent();
    var chain = RunInput.chain(tx, caller);
    return new Sender(agent.id().value(), agent.name(), chain.cause(), chain.depth() + 1);
  }

  /// An answer of an agent whose mind is elsewhere follows from the question it answers.
  private static Sender sender(Tx tx, Caller caller, Open open) {
    if (!caller.isExternal()) {
      return sender(tx, caller);
    }
    int depth = MessageTable.find(tx, open.question()).map(Message::depth).orElse(0);
    Agent agent = caller.agent();
    return new Sender(agent.id().value(), agent.name(), open.question(), depth + 1);
  }

  private static void requireText(String text) {
    if (text.isBlank()) {
      throw new Fault(ErrorCode.INVALID_ARGUMENTS, "/text is empty", "say something");
    }
  }
}
