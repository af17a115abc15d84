package dev.substrat.message;

import dev.substrat.event.EventLog;
import dev.substrat.event.NewEvent;
import dev.substrat.id.AgentId;
import dev.substrat.id.MessageId;
import dev.substrat.inbox.Inbox;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.inbox.RunInput;
import dev.substrat.message.Draft.Sender;
import dev.substrat.message.Message.Status;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.tool.Call;
import dev.substrat.tool.Caller;
import java.time.InstantSource;
import java.util.List;

/// What a turn does to the mail it was given: claimed, shown, read, answered, or given up.
///
/// All of it happens inside the turn's own transactions.
public final class Delivery {
  private final Replies replies;
  private final EventLog events;
  private final InstantSource clock;

  Delivery(Replies replies, EventLog events, InstantSource clock) {
    this.replies = replies;
    this.events = events;
    this.clock = clock;
  }

  public void claimed(Tx tx, List<InboxEvent> claimed) {
    for (InboxEvent event : claimed) {
      mark(tx, event, Status.CLAIMED);
      // An attempt before this one may have shown it; this one has not yet.
      notShown(tx, event);
    }
  }

  /// The agent has seen it: from now on it may answer.
  public void shown(Tx tx, InboxEvent event) {
    mark(tx, event, Status.INJECTED);
    MessageId message = event.message();
    if (message != null) {
      PendingReplies.shown(tx, message, clock.instant());
      // Whatever held it back, its recipient has seen it now.
      MessageTable.release(tx, message);
      Inbox.release(tx, message);
    }
  }

  /// An agent has fetched it itself, in the course of `call`: it belongs to what its run was given.
  void fetched(Tx tx, Call call, List<InboxEvent> fresh) {
    var run = call.caller().run();
    claimed(tx, fresh);
    RunInput.add(tx, run, call.step(), fresh);
    RunInput.deepen(tx, run, fresh);
    for (InboxEvent event : fresh) {
      shown(tx, event);
      RunInput.shown(tx, run, event, clock.instant());
    }
  }

  public void read(Tx tx, List<InboxEvent> consumed) {
    consumed.forEach(event -> mark(tx, event, Status.READ));
  }

  /// The turn's final text answers what the agent owes; an empty one tells the askers that there is
  /// no answer.
  public void settle(Tx tx, Caller caller, String text) {
    Agent agent = caller.agent();
    var chain = RunInput.chain(tx, caller);
    var sender = new Sender(agent.id().value(), agent.name(), chain.cause(), chain.depth() + 1);
    for (var owed : PendingReplies.owed(tx, agent.id().value())) {
      if (text.isBlank()) {
        replies.giveUp(tx, owed, Status.DEAD, "it ended its turn without an answer");
      } else {
        replies.answer(tx, sender, owed, text);
      }
    }
  }

  /// The turn failed and the event waits for another: as if it had never been shown, so that no
  /// other turn's final text is taken for its answer.
  public void givenBack(Tx tx, InboxEvent event) {
    MessageId message = event.message();
    if (message != null) {
      MessageTable.unread(tx, message);
      notShown(tx, event);
    }
  }

  private static void notShown(Tx tx, InboxEvent event) {
    if (event.message() != null) {
      PendingReplies.notShown(tx, event.message());
    }
  }

  /// Nobody will read it any more, and whoever asked learns why.
  public void bury(Tx tx, AgentId recipient, InboxEvent event, String reason) {
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
    // Also of a broadcast, or what the agent says next would be taken for its answer.
    open.ifPresent(wait -> replies.giveUp(tx, wait, Status.DEAD, reason));
    if (open.isEmpty() || !open.get().isQuestion()) {
      replies.bury(tx, message, recipient.value(), Status.DEAD, reason);
    }
  }

  /// The agent will not come back to what it was shown and has not answered.
  public void breakPromises(Tx tx, AgentId agent, String reason) {
    PendingReplies.shownTo(tx, agent.value())
        .forEach(open -> replies.giveUp(tx, open, Status.DEAD, reason));
  }

  /// An agent is gone: its mail is dead, and everyone who waits for it is told.
  public void abandon(Tx tx, AgentId agent) {
    PendingReplies.forget(tx, agent.value());
    tx.update("delete from reminder where agent_id = ?", agent.value());
    for (InboxEvent event : Inbox.removeAll(tx, agent)) {
      bury(tx, agent, event, "it was terminated");
    }
    for (var open : PendingReplies.expectedOf(tx, agent.value())) {
      replies.giveUp(tx, open, Status.DEAD, "it was terminated");
    }
  }

  private void mark(Tx tx, InboxEvent event, Status status) {
    MessageId id = event.message();
    if (id != null) {
      MessageTable.mark(tx, id, status, clock.instant());
    }
  }
}
