package dev.substrat.turn.run;

import dev.substrat.access.budget.BudgetLedger;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.messaging.inbox.TurnClaim;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.ContentHash;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.AgentConfig;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.transcript.RunAccess;
import dev.substrat.tool.transcript.RunTable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The records of turns.
public final class Runs {
  /// Reason of a run whose daemon died.
  public static final String ORPHANED = "the daemon stopped during the turn";

  public static final String NOT_STORED = "the end of the turn could not be stored";

  private static final String SELECT =
      """
      select run.id, run.agent_id, agent.handle, run.turn_no, run.status, run.stop_reason,
        run.response, run.started_at, run.ended_at, run.depth, run.cause_id, run.attempt,
        run.retry_of, run.cut_short, run.subject, run.space_id, run.unposted_after
      from run join agent on agent.id = run.agent_id
      """;

  /// Greater than every id, in whatever order a database compares texts.
  private static final String AFTER_ALL = "z";

  private final Database database;

  public Runs(Database database) {
    this.database = database;
  }

  /// Runs that `who` may see, of one agent or of all, the newest before run `before` ("" for all).
  public List<Run> before(Principal who, @Nullable AgentId agent, String before, int limit) {
    RunAccess.requireReading(who);
    return database.read(tx -> before(tx, agent, before, limit));
  }

  /// The newest runs, for the daemon itself.
  public List<Run> newest(@Nullable AgentId agent, int limit) {
    return database.read(tx -> before(tx, agent, "", limit));
  }

  private static List<Run> before(Tx tx, @Nullable AgentId agent, String before, int limit) {
    String until = before.isEmpty() ? AFTER_ALL : before;
    return agent == null
        ? tx.list(
            SELECT + " where run.id < ? order by run.id desc limit ?", Runs::run, until, limit)
        : tx.list(
            SELECT + " where run.agent_id = ? and run.id < ? order by run.id desc limit ?",
            Runs::run,
            agent.value(),
            until,
            limit);
  }

  /// Runs about one subject, the newest before run `before` ("" for all).
  public List<Run> about(
      Principal who, String subject, @Nullable AgentId agent, String before, int limit) {
    RunAccess.requireReading(who);
    String id = agent == null ? "" : agent.value();
    return database.read(tx ->
        tx.list(
            SELECT
                + """
                 where run.subject = ? and (? = '' or run.agent_id = ?) and run.id < ?
                order by run.id desc limit ?
                """,
            Runs::run,
            subject,
            id,
            id,
            before.isEmpty() ? AFTER_ALL : before,
            limit));
  }

  /// Total usage of all runs about one subject, including their sub-agents.
  public record SubjectUsage(long turns, long inputTokens, long outputTokens, double usd) {}

  public SubjectUsage usage(Principal who, String subject, @Nullable AgentId agent) {
    RunAccess.requireReading(who);
    return database.read(tx ->
        tx.find(
                """
                select count(distinct run.id) as turns,
                  coalesce(sum(input_tokens), 0) as input_tokens,
                  coalesce(sum(output_tokens), 0) as output_tokens,
                  coalesce(sum(cost_micros), 0) as cost_micros
                from run left join run_step on run_step.run_id = run.id
                where run.subject = ? and (? = '' or run.agent_id = ?)
                """,
                row ->
                    new SubjectUsage(
                        row.number("turns"),
                        row.number("input_tokens"),
                        row.number("output_tokens"),
                        row.number("cost_micros") / 1e6),
                subject,
                agent == null ? "" : agent.value(),
                agent == null ? "" : agent.value())
            .orElseThrow());
  }

  /// Calls of each of these runs, by id; runs without calls are missing.
  public Map<String, CallCounts> tally(List<Run> runs) {
    return database.read(tx -> CallCounts.of(tx, runs.stream().map(Run::id).toList()));
  }

  /// The run, if `who` may see it; its texts and events are read with its id.
  public Run require(Principal who, String id) {
    RunAccess.requireReading(who);
    return database.read(tx -> require(tx, id));
  }

  public static Run require(Tx tx, String id) {
    return tx.find(SELECT + " where run.id = ?", Runs::run, id)
        .orElseThrow(() ->
            ErrorCode.RUN_NOT_FOUND.fault(
                "run " + id + " not found", "list runs (GET /api/runs, ./substrat run list)"));
  }

  /// The newest run that got a message.
  public static Optional<Run> findLastGiven(Tx tx, MessageId message) {
    return tx.find(
        SELECT
            + """
             where run.id in (select run_id from run_event where event_id = ?)
            order by run.id desc limit 1
            """,
        Runs::run,
        message.value());
  }

  public List<RunInputEvents.RecordedEvent> given(RunId run) {
    return database.read(tx -> RunInputEvents.of(tx, run));
  }

  /// The configuration the agent had then; empty in records of older versions.
  public Optional<AgentConfig> config(RunId run) {
    return database.read(tx -> config(tx, run));
  }

  public static Optional<AgentConfig> config(Tx tx, RunId run) {
    return tx.find(
        """
        select run_config.config from run join run_config on run_config.hash = run.config_hash
        where run.id = ?
        """,
        row -> Json.as(Json.own(row.text("config")), AgentConfig.class),
        run.value());
  }

  /// Records the start of a turn: the agent's configuration and the events, in order.
  public static void start(Tx tx, ToolCaller caller, TurnClaim claim, Instant now) {
    Optional<EarlierRun> earlier = earlier(tx, caller);
    RunTable.start(
        tx,
        caller,
        now,
        keep(tx, caller.agent().config()),
        new RunTable.RunStart(
            earlier.map(EarlierRun::attempt).orElse(0) + 1,
            earlier.map(EarlierRun::run).orElse(null),
            caller.cause() == null ? null : caller.cause().value(),
            claim.subject()));
    RunInputEvents.add(tx, caller.run(), 0, claim.events());
  }

  /// Number of attempts at events of a run, including this one.
  public static int attempt(Tx tx, RunId run) {
    return (int) tx.number("select attempt as n from run where id = ?", run.value());
  }

  private record EarlierRun(String run, int attempt) {}

  /// The earlier run with some of these events that did not finish.
  private static Optional<EarlierRun> earlier(Tx tx, ToolCaller caller) {
    return tx.find(
        """
        select run.id, run.attempt from run
        where run.id = (
          select max(run_event.run_id)
          from inbox_event join run_event on run_event.event_id = inbox_event.id
          where inbox_event.agent_id = ? and inbox_event.turn_no = ?
        )
        """,
        row -> new EarlierRun(row.text("id"), row.integer("attempt")),
        caller.agent().id().value(),
        caller.turn());
  }

  /// Stores a configuration under the hash of its text, and returns the hash: turns with the same
  /// configuration share it.
  private static String keep(Tx tx, AgentConfig config) {
    String text = Json.text(config);
    String hash = ContentHash.of(text);
    tx.update(
        "insert into run_config (hash, config) values (?, ?) on conflict do nothing", hash, text);
    return hash;
  }

  /// Records that the turn was ended from outside.
  public static void cutShort(Tx tx, ToolCaller caller) {
    RunTable.setCutShort(tx, caller.run());
  }

  public static void end(
      Tx tx,
      ToolCaller caller,
      String status,
      @Nullable String reason,
      @Nullable String response,
      Instant now) {
    RunTable.end(tx, caller.run(), status, reason, response, now);
  }

  /// Closes runs that a dead daemon, a lost lease or a terminated agent left open, so that no run
  /// stays `running` forever.
  public static void close(Tx tx, EventLog events, AgentId agent, String reason, Instant now) {
    BudgetLedger.abandon(tx, agent, now);
    List<Run> open =
        tx.list(
            SELECT + " where run.agent_id = ? and run.status in ('running', 'open')",
            Runs::run,
            agent.value());
    for (Run run : open) {
      RunTable.fail(tx, run.id(), reason, now);
      if (run.status().equals("running")) {
        events.append(
            tx,
            NewEvent.of("turn_ended")
                .about(agent.value())
                .during(run.id())
                .with("agent", run.agent())
                .with("turn", run.turn())
                .with("status", "failed")
                .with("stopReason", reason));
      }
    }
  }

  private static Run run(ResultRow row) {
    return new Run(
        row.text("id"),
        row.text("agent_id"),
        row.text("handle"),
        row.number("turn_no"),
        row.text("status"),
        row.textOrNull("stop_reason"),
        row.textOrNull("response"),
        row.instant("started_at"),
        row.instantOrNull("ended_at"),
        row.integer("depth"),
        row.textOrNull("cause_id"),
        row.integer("attempt"),
        row.textOrNull("retry_of"),
        row.flag("cut_short"),
        row.textOrNull("subject"),
        row.textOrNull("space_id"),
        row.textOrNull("unposted_after") != null);
  }
}
