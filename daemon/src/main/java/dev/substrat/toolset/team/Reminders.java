package dev.substrat.toolset.team;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.TurnFence;
import dev.substrat.tool.execution.RepeatedCalls;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Store of reminders that agents set for themselves. They survive a restart; each is delivered
/// once, by whichever daemon is first.
public final class Reminders {
  private static final int BATCH = 100;

  private static final String SET =
      """
      insert into reminder (id, agent_id, text, due_at, created_at, subject, depth, cause_id)
      values (?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  public Reminders(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  /// A reminder, new or repeated.
  record Reminder(String id, Instant dueAt) {}

  Reminder set(ToolCall call, String text, Duration wait) {
    return database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      // The call's key makes a retried turn know the reminder it set, even if that has come
      // already.
      String id = RepeatedCalls.id(call);
      Instant now = Instant.ofEpochMilli(clock.millis());
      if (!RepeatedCalls.isFirst(tx, call, "remind", now)) {
        return new Reminder(id, RepeatedCalls.firstTime(tx, call, "remind").plus(wait));
      }
      Instant due = now.plus(wait);
      var chain = RunInputEvents.chain(tx, call.caller());
      boolean isPart = chain.subject() != null;
      tx.update(
          SET,
          id,
          call.caller().agent().id().value(),
          text,
          due,
          now,
          chain.subject(),
          isPart ? chain.depth() : 0,
          isPart && chain.cause() != null ? chain.cause().value() : null);
      return new Reminder(id, due);
    });
  }

  void cancel(ToolCall call, String id) {
    database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      if (RepeatedCalls.isFirst(tx, call, "cancel " + id, clock.instant())
          && !remove(tx, call, id)) {
        throw ErrorCode.NOT_FOUND.fault(
            "you have no reminder " + id, "the reminder may have been delivered already");
      }
      return true;
    });
  }

  private static boolean remove(Tx tx, ToolCall call, String id) {
    return tx.update(
            "delete from reminder where id = ? and agent_id = ?",
            id,
            call.caller().agent().id().value())
        == 1;
  }

  /// Delivers due reminders; returns how many.
  public int fire() {
    if (database.read(this::due).isEmpty()) {
      return 0;
    }
    return database.transact(tx -> {
      List<DueReminder> due = due(tx);
      due.forEach(reminder -> deliver(tx, reminder));
      return due.size();
    });
  }

  private List<DueReminder> due(Tx tx) {
    return tx.list(
        """
        select id, agent_id, text, subject, depth, cause_id from reminder
        where due_at <= ? order by due_at limit ?
        """,
        row ->
            new DueReminder(
                row.text("id"),
                new AgentId(row.text("agent_id")),
                row.text("text"),
                row.textOrNull("subject"),
                row.integer("depth"),
                row.textOrNull("cause_id")),
        clock.instant(),
        BATCH);
  }

  /// Deletes the reminders of an agent that was terminated.
  public static void deleteAll(Tx tx, AgentId agent) {
    tx.update("delete from reminder where agent_id = ?", agent.value());
  }

  private void deliver(Tx tx, DueReminder reminder) {
    if (tx.update("delete from reminder where id = ?", reminder.id()) == 0) {
      // Another daemon was faster.
      return;
    }
    var payload =
        Json.object()
            .put("kind", InboxEvent.InboxEventKind.REMINDER.toString())
            .put("from", "yourself")
            .put("text", reminder.text())
            .put("reminder_id", reminder.id())
            .put("depth", reminder.depth());
    if (reminder.cause() != null) {
      payload.put(InboxEvent.CAUSE, reminder.cause());
    }
    var event =
        new InboxEvent(
            MessageId.random().value(),
            InboxEvent.InboxEventKind.REMINDER,
            null,
            payload,
            0,
            false);
    Inbox.put(tx, reminder.agent(), event.about(reminder.subject()), false);
    events.append(
        tx,
        NewEvent.of("reminder_due")
            .about(reminder.agent().value())
            .with(
                "agent",
                AgentTree.find(tx, reminder.agent().value()).map(Agent::handle).orElse(null))
            .with("reminder", reminder.id())
            .with("text", reminder.text()));
  }

  /// A due reminder; it has the subject of the turn that set it.
  private record DueReminder(
      String id,
      AgentId agent,
      String text,
      @Nullable String subject,
      int depth,
      @Nullable String cause) {}
}
