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

/// The record of a run: one row for each call and each return, and what was said at the end.
public final class Transcript {
  private static final String INSERT =
      """
      insert into run_message
        (id, run_id, step, type, tool_name, tool_call_id, tool_input, content, at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  public static final String CALL = "tool_call_message";
  public static final String RETURN = "tool_return_message";

  private final Database database;
  private final InstantSource clock;

  public Transcript(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// One line of a record.
  public record Line(
      String id,
      int step,
      String type,
      @Nullable String toolName,
      @Nullable String toolCallId,
      @Nullable JsonNode toolInput,
      String content,
      Instant at) {}

  /// Where in a run something happens.
  public record Place(RunId run, int step) {}

  public void called(Tx tx, Place place, String callId, String tool, JsonNode input) {
    Steps.open(tx, place.run(), place.step(), clock.instant());
    write(tx, place, new Line(id(), place.step(), CALL, tool, callId, input, "", clock.instant()));
  }

  public void returned(Tx tx, Place place, String callId, String tool, JsonNode result) {
    String content = Json.text(result);
    write(
        tx,
        place,
        new Line(id(), place.step(), RETURN, tool, callId, null, content, clock.instant()));
  }

  /// What the agent said last.
  public void said(Tx tx, Place place, String text) {
    if (!text.isBlank()) {
      Steps.open(tx, place.run(), place.step(), clock.instant());
      write(
          tx,
          place,
          new Line(
              id(), place.step(), "assistant_message", null, null, null, text, clock.instant()));
    }
  }

  private static String id() {
    return MessageId.random().value();
  }

  private static void write(Tx tx, Place place, Line line) {
    tx.update(
        INSERT,
        line.id(),
        place.run().value(),
        line.step(),
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
            select id, step, type, tool_name, tool_call_id, tool_input, content, at from run_message
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
        row.integer("step"),
        row.text("type"),
        row.textOrNull("tool_name"),
        row.textOrNull("tool_call_id"),
        input == null ? null : Json.own(input),
        row.text("content"),
        row.instant("at"));
  }
}
