package dev.substrat.transcript;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.id.MessageId;
import dev.substrat.id.RunId;
import dev.substrat.json.Json;
import dev.substrat.store.Database;
import dev.substrat.store.Row;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The record of a run: what the mind was told, one row for each call and each return, and what was
/// said at the end.
public final class Transcript {
  private static final String INSERT =
      """
      insert into run_message (id, run_id, type, tool_name, tool_call_id, tool_input, content, at)
      values (?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private final Database database;
  private final InstantSource clock;

  public Transcript(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// One line of a record.
  public record Line(
      String id,
      String type,
      @Nullable String toolName,
      @Nullable String toolCallId,
      @Nullable JsonNode toolInput,
      String content,
      Instant at) {}

  public void called(Tx tx, RunId run, String callId, String tool, JsonNode input) {
    write(tx, run, line("tool_call_message", tool, callId, input, ""));
  }

  public void returned(Tx tx, RunId run, String callId, String tool, JsonNode result) {
    write(tx, run, line("tool_return_message", tool, callId, null, Json.text(result)));
  }

  /// What the agent's mind was told before it began to think.
  public void told(Tx tx, RunId run, String system, String turn) {
    write(tx, run, line("system_message", null, null, null, system));
    write(tx, run, line("user_message", null, null, null, turn));
  }

  /// What the agent said last.
  public void said(Tx tx, RunId run, String text) {
    if (!text.isBlank()) {
      write(tx, run, line("assistant_message", null, null, null, text));
    }
  }

  private Line line(
      String type,
      @Nullable String tool,
      @Nullable String callId,
      @Nullable JsonNode input,
      String content) {
    String id = MessageId.random().value();
    return new Line(id, type, tool, callId, input, content, clock.instant());
  }

  private static void write(Tx tx, RunId run, Line line) {
    tx.update(
        INSERT,
        line.id(),
        run.value(),
        line.type(),
        line.toolName(),
        line.toolCallId(),
        line.toolInput() == null ? null : Json.text(line.toolInput()),
        line.content(),
        line.at());
  }

  /// What was recorded of a run, in order.
  public List<Line> of(RunId run, String after, int limit) {
    return database.read(tx ->
        tx.list(
            """
            select id, type, tool_name, tool_call_id, tool_input, content, at from run_message
            where run_id = ? and id > ?
            order by id
            limit ?
            """,
            Transcript::line,
            run.value(),
            after,
            limit));
  }

  private static Line line(Row row) {
    @Nullable String input = row.textOrNull("tool_input");
    return new Line(
        row.text("id"),
        row.text("type"),
        row.textOrNull("tool_name"),
        row.textOrNull("tool_call_id"),
        input == null ? null : Json.own(input),
        row.text("content"),
        row.instant("at"));
  }
}
