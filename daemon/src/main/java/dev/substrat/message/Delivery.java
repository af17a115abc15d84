package dev.substrat.message;

import dev.substrat.event.EventLog;
import dev.substrat.event.NewEvent;
import dev.substrat.id.MessageId;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.message.Message.Status;
import dev.substrat.store.Tx;
import dev.substrat.tool.Caller;
import java.time.InstantSource;
import java.util.List;

/// What a turn does to the mail it was given: claimed, shown, read, answered, or given up.
///
/// All of it happens inside the turn's own transactions.
public final class Delivery {
  private final Messages messages;
  private final EventLog events;
  private final InstantSource clock;

  public Delivery(Messages messages, EventLog events, InstantSource clock) {
    this.messages = messages;
    this.events = events;
    this.clock = clock;
  }

  public void claimed(Tx tx, List<InboxEvent> claimed) {
    claimed.forEach(event -> mark(tx, event, Status.CLAIMED));
  }

  /// The agent has seen it: from now on it owes the answer.
  public void shown(Tx tx, InboxEvent event) {
    mark(tx, event, Status.INJECTED);
    MessageId message = event.message();
    if (message != null) {
      PendingReplies.shown(tx, message, clock.instant());
    }
  }

  /// The turn ended well: its mail is read, and its final text answers what it owes.
  public void settle(Tx tx, Caller caller, List<InboxEvent> consumed, String response) {
    consumed.forEach(event -> mark(tx, event, Status.READ));
    for (var owed : PendingReplies.owed(tx, caller.agent().id().value())) {
      String text =
          response.isBlank()
              ? caller.agent().name() + " ended its turn without an answer"
              : response;
      messages.reply(tx, caller, owed.asker(), owed.question(), text);
    }
  }

  /// The turn failed and the event waits for another: as if it had never been shown, so that no
  /// other turn's final text is taken for its answer.
  public void givenBack(Tx tx, InboxEvent event) {
    MessageId message = event.message();
    if (message != null) {
      MessageTable.unread(tx, message);
      PendingReplies.notShown(tx, message);
    }
  }

  /// Nobody will read it any more, and whoever asked learns why.
  public void bury(Tx tx, Caller caller, InboxEvent event, String reason) {
    MessageId message = event.message();
    if (message == null) {
      return;
    }
    MessageTable.markDead(tx, message, reason, clock.instant());
    PendingReplies.close(tx, message);
    events.append(
        tx,
        NewEvent.of("message_dead")
            .about(caller.agent().id().value())
            .with("message_id", message.value())
            .with("reason", reason));
  }

  /// A message that has been answered already stays answered.
  private void mark(Tx tx, InboxEvent event, Status status) {
    MessageId id = event.message();
    if (id != null
        && MessageTable.find(tx, id).filter(m -> m.status() != Status.REPLIED).isPresent()) {
      MessageTable.mark(tx, id, status, clock.instant());
    }
  }
}
