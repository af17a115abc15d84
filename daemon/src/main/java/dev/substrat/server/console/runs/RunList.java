package dev.substrat.server.console.runs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.console.NumberFormatter;
import dev.substrat.console.runs.RunRow;
import dev.substrat.console.runs.RunStatus;
import dev.substrat.console.runs.RunsPage.RunSearch;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.server.console.DisplayNames;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.tool.transcript.RunAccess;
import dev.substrat.turn.run.CallCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads the runs of a page with one query.
final class RunList {
  /// Greater than every id.
  private static final String NEWEST = "g";

  private static final int MAX_LENGTH = 200;

  /// Maximum length of the summary of the input.
  private static final int BRIEF = 1_000;

  private static final String SELECT =
      """
      select run.id, run.agent_id, agent.handle, agent.name, run.turn_no, run.attempt, run.status,
        run.stop_reason, run.started_at, run.ended_at, run.space_id, run.unposted_after,
        began.kind as began_kind,
        BEGAN as began_payload,
        (select substr(text, 1, TEXT) from message where message.id = began.event_id) as began_text,
        (select count(*) from run_message
         where run_message.run_id = run.id and type = 'tool_call_message') as calls,
        (select count(*) from run_message
         where run_message.run_id = run.id and WRONG) as wrong,
        (select count(*) from run_message
         where run_message.run_id = run.id and BROKEN) as failed,
        (select coalesce(max(step), 0) from run_step where run_step.run_id = run.id) as steps,
        (select coalesce(max(step), 0) from run_message
         where run_message.run_id = run.id and type = 'tool_call_message') as called_in,
        (select coalesce(sum(input_tokens + output_tokens), 0) from run_step
         where run_step.run_id = run.id) as tokens,
        (select coalesce(sum(cost_micros), 0) from run_step
         where run_step.run_id = run.id) as micros
      from run
      join agent on agent.id = run.agent_id
      left join run_event began on began.run_id = run.id and began.position = 0
      """
          .replace("TEXT", String.valueOf(MAX_LENGTH + 1))
          .replace("WRONG", CallCounts.WRONG)
          .replace("BROKEN", CallCounts.BROKEN);

  private RunList() {}

  private static String select(Tx tx) {
    return SELECT.replace(
        "BEGAN", tx.dialect().abridged("began.payload", BRIEF, List.of("result")));
  }

  /// Newest runs that match the filter, if the viewer may see runs.
  static List<RunRow> found(Tx tx, Principal viewer, RunSearch search, int limit) {
    RunAccess.requireReading(viewer);
    var sql = new StringBuilder(select(tx) + " where run.id < ?");
    var values = new ArrayList<@Nullable Object>();
    values.add(search.before().isEmpty() ? NEWEST : search.before());
    if (!search.agent().isEmpty()) {
      // By id, for the index.
      sql.append(" and run.agent_id = (select id from agent where handle = ?)");
      values.add(search.agent());
    }
    if (!search.status().isEmpty()) {
      sql.append(" and run.status = ?");
      values.add(search.status());
      switch (search.status()) {
        case "running", "open", "done" -> {}
        // The condition of an index.
        default -> sql.append(" and run.status not in ('running', 'open', 'done')");
      }
    }
    values.add(limit);
    return tx.list(sql + " order by run.id desc limit ?", RunList::row, values.toArray());
  }

  static RunRow require(Tx tx, String id) {
    return tx.find(select(tx) + " where run.id = ?", RunList::row, id).orElseThrow();
  }

  /// Previous or next run of the agent.
  static Optional<String> before(Tx tx, RunRow run) {
    return neighbour(tx, run, "turn_no < ? order by turn_no desc");
  }

  static Optional<String> after(Tx tx, RunRow run) {
    return neighbour(tx, run, "turn_no > ? order by turn_no");
  }

  private static Optional<String> neighbour(Tx tx, RunRow run, String where) {
    return tx.find(
        "select id from run where agent_id = ? and " + where + " limit 1",
        row -> "/runs/" + row.text("id"),
        run.agentId(),
        run.turn());
  }

  private static RunRow row(ResultRow row) {
    @Nullable Instant ended = row.instantOrNull("ended_at");
    Instant started = row.instant("started_at");
    @Nullable String reason = row.textOrNull("stop_reason");
    return new RunRow(
        row.text("id"),
        row.text("agent_id"),
        row.text("handle"),
        row.text("name"),
        DisplayNames.displayName(row.text("name"), row.text("handle")),
        row.number("turn_no"),
        row.integer("attempt"),
        RunStatus.of(row.text("status")),
        summary(
            row.textOrNull("began_kind"),
            row.textOrNull("began_payload"),
            row.textOrNull("began_text")),
        reason == null ? "" : reason,
        started,
        ended == null ? "" : NumberFormatter.time(Duration.between(started, ended)),
        unpostedIn(row),
        new RunRow.RunUsage(
            steps(row), calls(row), row.number("tokens"), cost(row.number("micros"))));
  }

  private static String unpostedIn(ResultRow row) {
    @Nullable String space = row.textOrNull("space_id");
    return space == null || row.textOrNull("unposted_after") == null ? "" : space;
  }

  private static RunRow.CallCounts calls(ResultRow row) {
    long failed = row.number("failed");
    return new RunRow.CallCounts(row.number("calls"), row.number("wrong") - failed, failed);
  }

  /// Number of steps as a replay counts them: not every provider reports steps, but calls have a
  /// step number, and a finished turn has at least one step.
  private static long steps(ResultRow row) {
    boolean isTurn = row.number("turn_no") > 0 && row.instantOrNull("ended_at") != null;
    return Math.max(Math.max(row.number("steps"), row.number("called_in")), isTurn ? 1 : 0);
  }

  /// In dollars, or empty if zero.
  static String cost(long micros) {
    return micros == 0 ? "" : NumberFormatter.dollars(micros / 1e6);
  }

  /// Replaces "yourself", which is addressed to the agent, by "itself".
  static String from(JsonNode payload) {
    String from = payload.path("from").asText("");
    return from.equals("yourself") ? "itself" : from;
  }

  /// `message` is the text of the message that the event brought, if it brought one.
  private static String summary(
      @Nullable String kind, @Nullable String payload, @Nullable String message) {
    if (kind == null || payload == null) {
      return "";
    }
    var json = Json.own(payload);
    String from = from(json);
    String text = (message == null ? json.path("text").asText("") : message).strip();
    String whole =
        kind.replace('_', ' ')
            + (from.isEmpty() ? "" : " from " + from)
            + (text.isEmpty() ? "" : ": " + text);
    return whole.length() <= MAX_LENGTH ? whole : whole.substring(0, MAX_LENGTH) + " …";
  }
}
