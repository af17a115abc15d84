package dev.substrat.messaging.message;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.messaging.inbox.TurnSubject;
import dev.substrat.messaging.message.Message.MessageStatus;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.pending.PendingCalls;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Delivery of messages in a turn: claimed, shown, read, answered, or dead.
///
/// All of it happens inside the turn's own transactions.
public final class TurnDelivery {
  private final ReplyMatching replies;
  private final EventLog events;
  private final InstantSource clock;

  TurnDelivery(ReplyMatching replies, EventLog events, InstantSource clock) {
    this.replies = replies;
    this.events = events;
    this.clock = clock;
  }

  /// Registers the receiver of hints about agents that a message may have made ready.
  public void wake(WakeUpHint receiver) {
    replies.wake(receiver);
  }

  public void claimed(Tx tx, List<InboxEvent> claimed) {
    for (InboxEvent event : claimed) {
      mark(tx, event, MessageStatus.CLAIMED);
      // An attempt before this one may have shown it; this one has not yet.
      notShown(tx, event);
    }
  }

  /// Turn `turn` of the agent has seen it (0 if it has no turns): from now on it may answer.
  public void shown(Tx tx, InboxEvent event, long turn) {
    mark(tx, event, MessageStatus.INJECTED);
    MessageId message = event.message();
    if (message != null) {
      if (mayBeAnswered(event)) {
        PendingReplies.shown(tx, message, turn, clock.instant());
      }
      // The recipient has seen it, so it is no longer held.
      if (MessageTable.release(tx, message)) {
        Inbox.release(tx, message);
      }
    }
  }

  /// Only these can have a pending reply.
  private static boolean mayBeAnswered(InboxEvent event) {
    return event.kind() == InboxEvent.InboxEventKind.BROADCAST
        || event.payload().path("sync").asBoolean();
  }

  /// Records that the agent fetched events with `call`: they become part of the input of its run.
  void fetched(Tx tx, ToolCall call, List<InboxEvent> fresh) {
    ToolCaller caller = call.caller();
    claimed(tx, fresh);
    RunInputEvents.add(tx, caller.run(), call.step(), fresh);
    RunInputEvents.follow(tx, caller.run(), fresh);
    for (InboxEvent event : fresh) {
      shown(tx, event, caller.turn());
      RunInputEvents.shown(tx, caller.run(), event, clock.instant());
    }
  }

  /// Records that the agent was shown an event of another subject. The event stays in the inbox for
  /// a turn about that subject; if it is a question, this turn may answer it.
  void seen(Tx tx, ToolCall call, InboxEvent event) {
    if (event.message() != null) {
      PendingReplies.shown(tx, event.message(), call.caller().turn(), clock.instant());
    }
  }

  /// Releases questions that became open during the turn, because a person released them: the final
  /// text does not answer them, so each gets its own turn. Returns the other events.
  public List<InboxEvent> leaveReleased(Tx tx, ToolCaller caller, List<InboxEvent> given) {
    @Nullable String subject = RunInputEvents.chain(tx, caller).subject();
    Map<Boolean, List<InboxEvent>> isReleased =
        given.stream()
            .collect(
                Collectors.partitioningBy(event ->
                    event.subject() != null
                        && !event.subject().equals(subject)
                        && event.message() != null
                        && PendingReplies.isAwaited(tx, event.message())));
    for (InboxEvent event : isReleased.getOrDefault(true, List.of())) {
      Inbox.putBack(tx, event, caller.turn(), clock.instant());
      markNotShown(tx, event);
    }
    return isReleased.getOrDefault(false, List.of());
  }

  /// The agent is configured differently. Questions that it has read as an external agent, and not
  /// answered, come again if it has turns from now on.
  public void returnUnanswered(Tx tx, AgentId agent) {
    Agent recipient = AgentTree.find(tx, agent.value()).orElseThrow();
    if (!recipient.isExternal()) {
      PendingReplies.readOutsideTurns(tx, agent.value()).stream()
          .filter(open -> Inbox.removeRead(tx, open.question()))
          .forEach(open -> replies.redeliver(tx, open, recipient));
    }
  }

  public void read(Tx tx, List<InboxEvent> consumed) {
    consumed.forEach(event -> mark(tx, event, MessageStatus.READ));
  }

  /// Delivers the final text of a turn: it answers the question that the turn is about. If it is
  /// empty, the asker gets a notice that there is no answer. While a question or pending call of
  /// the agent for the same subject is open, the answer is left to the turn that its result starts.
  public void settle(Tx tx, ToolCaller caller, String text) {
    @Nullable String subject = RunInputEvents.chain(tx, caller).subject();
    AgentId agent = caller.agent().id();
    MessageId question = TurnSubject.findQuestion(subject).orElse(null);
    if (question == null) {
      return;
    }
    var open = PendingReplies.find(tx, question, agent.value());
    if (open.isEmpty()) {
      sendLater(tx, caller, question, text);
    } else if (!isLeftToLaterTurn(tx, agent, question.value())) {
      if (text.isBlank()) {
        replies.closeUnanswered(
            tx, open.get(), MessageStatus.DEAD, "it ended its turn without an answer");
      } else {
        replies.answer(tx, AgentMessages.sender(tx, caller), open.get(), text);
      }
    }
  }

  private static boolean isLeftToLaterTurn(Tx tx, AgentId agent, String subject) {
    return PendingReplies.isOpenFor(tx, agent.value(), subject)
        || PendingCalls.isOpenFor(tx, agent.value(), subject)
        || Inbox.hasUnseenAnswer(tx, agent, subject);
  }

  /// Sends the final text to the asker as an ordinary message if the question was answered in an
  /// earlier turn or has expired. If it was answered in this turn, the final text stays on the run.
  private void sendLater(Tx tx, ToolCaller caller, MessageId question, String text) {
    boolean isSaidAlready =
        MessageTable.answers(tx, question, caller.agent().id().value()).stream()
            .anyMatch(reply ->
                reply.run() != null && RunInputEvents.isSameTurn(tx, caller.run(), reply.run()));
    if (!text.isBlank() && !isSaidAlready) {
      MessageTable.find(tx, question)
          .filter(asked -> Recipients.isThere(tx, asked.sender()))
          .ifPresent(asked -> replies.sendLater(tx, AgentMessages.sender(tx, caller), asked, text));
    }
  }

  /// The turn failed and the event waits for another one: it counts as not shown, so that the final
  /// text of another turn is not its answer.
  public void markNotShown(Tx tx, InboxEvent event) {
    MessageId message = event.message();
    if (message != null) {
      MessageTable.unread(tx, message);
      notShown(tx, event);
    }
  }

  private static void notShown(Tx tx, InboxEvent event) {
    if (event.message() != null && mayBeAnswered(event)) {
      PendingReplies.notShown(tx, event.message());
    }
  }

  /// Marks an undeliverable message as dead and notifies the asker.
  public void markDead(Tx tx, AgentId recipient, InboxEvent event, String reason) {
    MessageId message = event.message();
    if (message == null) {
      events.append(
          tx,
          NewEvent.of("event_dead")
              .about(recipient.value())
              .with("eventKind", event.kind().toString())
              .with("reason", reason));
      return;
    }
    var open = PendingReplies.find(tx, message, recipient.value());
    // Also for a broadcast, so that the agent's next message does not count as its answer.
    open.ifPresent(wait -> replies.closeUnanswered(tx, wait, MessageStatus.DEAD, reason));
    if (open.isEmpty() || !open.get().isQuestion()) {
      replies.markDead(tx, message, recipient.value(), MessageStatus.DEAD, reason);
    }
  }

  /// Closes the question of a failed or cancelled turn; the asker gets a notice.
  public void giveUp(Tx tx, AgentId agent, @Nullable String subject, String reason) {
    TurnSubject.findQuestion(subject)
        .flatMap(question -> PendingReplies.find(tx, question, agent.value()))
        .ifPresent(open -> replies.closeUnanswered(tx, open, MessageStatus.DEAD, reason));
  }

  /// An agent was terminated: its messages are dead, and every asker gets a notice.
  public void agentTerminated(Tx tx, AgentId agent) {
    PendingReplies.forget(tx, agent.value());
    for (InboxEvent event : Inbox.removeAll(tx, agent)) {
      markDead(tx, agent, event, "it was terminated");
    }
    for (var open : PendingReplies.expectedOf(tx, agent.value())) {
      replies.closeUnanswered(tx, open, MessageStatus.DEAD, "it was terminated");
    }
  }

  private void mark(Tx tx, InboxEvent event, MessageStatus status) {
    MessageId id = event.message();
    if (id != null) {
      MessageTable.mark(tx, id, status, clock.instant());
    }
  }
}
