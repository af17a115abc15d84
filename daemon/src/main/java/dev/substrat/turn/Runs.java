package dev.substrat.turn;

import dev.substrat.fault.Fault;
import dev.substrat.id.AgentId;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Row;
import dev.substrat.store.Tx;
import dev.substrat.tool.Caller;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The records of turns.
public final class Runs {
  private static final String SELECT =
      """
      select run.id, run.agent_id, agent.handle, run.turn_no, run.status, run.stop_reason,
        run.response, run.started_at, run.ended_at
      from run join agent on agent.id = run.agent_id
      """;

  private final Database database;

  public Runs(Database database) {
    this.database = database;
  }

  /// The newest runs, of one agent or of all.
  public List<Run> newest(@Nullable AgentId agent, int limit) {
    return database.read(tx ->
        agent == null
            ? tx.list(SELECT + " order by run.id desc limit ?", Runs::run, limit)
            : tx.list(
                SELECT + " where run.agent_id = ? order by run.id desc limit ?",
                Runs::run,
                agent.value(),
                limit));
  }

  public Run require(String id) {
    return database
        .read(tx -> tx.find(SELECT + " where run.id = ?", Runs::run, id))
        .orElseThrow(() ->
            new Fault(
                ErrorCode.RUN_NOT_FOUND, "there is no run " + id, "GET /api/runs lists them"));
  }

  /// Opens the record of a turn: what it was given, in order.
  static void start(Tx tx, Caller caller, List<InboxEvent> events, Instant now) {
    tx.update(
        """
        insert into run (id, agent_id, turn_no, status, started_at, depth)
        values (?, ?, ?, 'running', ?, ?)
        """,
        caller.run().value(),
        caller.agent().id().value(),
        caller.turn(),
        now,
        caller.depth());
    for (int position = 0; position < events.size(); position++) {
      given(tx, caller, position, events.get(position), null);
    }
  }

  /// What the turn fetched itself, beyond the first `known` events.
  static void fetched(Tx tx, Caller caller, int known, List<InboxEvent> events, Instant now) {
    for (int i = 0; i < events.size(); i++) {
      given(tx, caller, known + i, events.get(i), now);
    }
  }

  private static void given(
      Tx tx, Caller caller, int position, InboxEvent event, @Nullable Instant shownAt) {
    tx.update(
        """
        insert into run_event (run_id, position, kind, message_id, payload, event_id, shown_at)
        values (?, ?, ?, ?, ?, ?, ?)
        """,
        caller.run().value(),
        position,
        event.kind(),
        event.message() == null ? null : event.message().value(),
        Json.text(event.payload()),
        event.id(),
        shownAt);
  }

  static void shown(Tx tx, Caller caller, int position, Instant now) {
    tx.update(
        "update run_event set shown_at = ? where run_id = ? and position = ?",
        now,
        caller.run().value(),
        position);
  }

  static void end(
      Tx tx,
      Caller caller,
      String status,
      @Nullable String reason,
      @Nullable String response,
      Instant now) {
    tx.update(
        "update run set status = ?, stop_reason = ?, response = ?, ended_at = ? where id = ?",
        status,
        reason,
        response,
        now,
        caller.run().value());
  }

  /// Closes what nobody works on any more, so that no run stays `running` for ever; returns what it
  /// closed. The open run of an external agent is closed only with the agent.
  static List<Run> close(Tx tx, AgentId agent, String reason, boolean isForGood, Instant now) {
    List<Run> left =
        tx.list(
            SELECT + " where run.agent_id = ? and run.status in ('running', ?)",
            Runs::run,
            agent.value(),
            isForGood ? "open" : "running");
    for (Run run : left) {
      tx.update(
          "update run set status = 'failed', stop_reason = ?, ended_at = ? where id = ?",
          reason,
          now,
          run.id());
    }
    return left;
  }

  private static Run run(Row row) {
    return new Run(
        row.text("id"),
        row.text("agent_id"),
        row.text("handle"),
        row.number("turn_no"),
        row.text("status"),
        row.textOrNull("stop_reason"),
        row.textOrNull("response"),
        row.instant("started_at"),
        row.instantOrNull("ended_at"));
  }
}
