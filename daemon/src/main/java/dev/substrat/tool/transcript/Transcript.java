package dev.substrat.tool.transcript;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Database;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Transcript of a run: the prompt, one row for each call and each result, and the final text.
public final class Transcript {
  private static final String INSERT =
      """
      insert into run_message
        (id, run_id, step, type, tool_name, tool_call_id, tool_input, content, at, beside,
         replayed, client_meta)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  public static final String CALL = "tool_call_message";
  public static final String RETURN = "tool_return_message";

  /// Calls of a provider's own tools, which the daemon only records.
  public static final String OWN_CALL = "own_tool_call_message";

  public static final String OWN_RETURN = "own_tool_return_message";
  public static final String SYSTEM = "system_message";
  public static final String USER = "user_message";
  public static final String ASSISTANT = "assistant_message";

  private final Database database;
  private final InstantSource clock;

  public Transcript(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// One line of a record. `beside` are the additions to a result; a replayed line comes from
  /// another run's record, without execution; `clientMeta` has the ids of an MCP client.
  public record TranscriptLine(
      String id,
      int step,
      String type,
      @Nullable String toolName,
      @Nullable String toolCallId,
      @Nullable JsonNode toolInput,
      String content,
      Instant at,
      @Nullable JsonNode beside,
      boolean replayed,
      @Nullable JsonNode clientMeta) {}

  /// Position in a run; `replayed` if it comes from another run's record.
  public record TranscriptPosition(RunId run, int step, boolean replayed) {
    public TranscriptPosition(RunId run, int step) {
      this(run, step, false);
    }
  }

  /// Result of a call, and an optional addition.
  public record RecordedResult(JsonNode json, @Nullable JsonNode beside) {}

  /// A call, with its id here and the ids of its client.
  public record RecordedCallInput(
      String callId, String tool, JsonNode input, @Nullable JsonNode clientMeta) {}

  public void called(Tx tx, TranscriptPosition place, RecordedCallInput call) {
    RunSteps.open(tx, place.run(), place.step(), clock.instant());
    write(tx, place, TranscriptEntry.of(call));
  }

  public void returned(
      Tx tx, TranscriptPosition place, String callId, String tool, RecordedResult result) {
    write(tx, place, TranscriptEntry.of(callId, tool, result));
  }

  /// Records a call together with its result, in one row, and returns its id. [#lines] makes two
  /// lines of it.
  public String calledAndReturned(
      Tx tx, TranscriptPosition place, RecordedCallInput call, RecordedResult result) {
    RunSteps.open(tx, place.run(), place.step(), clock.instant());
    return write(
        tx,
        place,
        new TranscriptEntry(
            CALL,
            call.tool(),
            call.callId(),
            Json.text(call.input()),
            Json.text(result.json()),
            textOrNull(result.beside()),
            textOrNull(call.clientMeta())));
  }

  /// The provider reports a call of its own tool.
  public void recordOwnCall(
      Tx tx, TranscriptPosition place, String callId, String tool, JsonNode input) {
    RunSteps.open(tx, place.run(), place.step(), clock.instant());
    write(tx, place, new TranscriptEntry(OWN_CALL, tool, callId, Json.text(input), "", null, null));
  }

  /// The provider reports the result of its own tool.
  public void recordOwnResult(
      Tx tx, TranscriptPosition place, String callId, String tool, JsonNode result) {
    write(
        tx,
        place,
        new TranscriptEntry(OWN_RETURN, tool, callId, null, Json.text(result), null, null));
  }

  private static @Nullable String textOrNull(@Nullable JsonNode json) {
    return json == null ? null : Json.text(json);
  }

  /// Records the prompt of a turn.
  public void recordPrompt(Tx tx, TranscriptPosition place, String system, String turn) {
    write(tx, place, TranscriptEntry.text(SYSTEM, system));
    write(tx, place, TranscriptEntry.text(USER, turn));
  }

  /// Records the final text.
  public void recordText(Tx tx, TranscriptPosition place, String text) {
    if (!text.isBlank()) {
      RunSteps.open(tx, place.run(), place.step(), clock.instant());
      write(tx, place, TranscriptEntry.text(ASSISTANT, text));
    }
  }

  private record TranscriptEntry(
      String type,
      @Nullable String tool,
      @Nullable String callId,
      @Nullable String input,
      String content,
      @Nullable String beside,
      @Nullable String clientMeta) {

    static TranscriptEntry of(RecordedCallInput call) {
      @Nullable String clientMeta = textOrNull(call.clientMeta());
      String input = Json.text(call.input());
      return new TranscriptEntry(CALL, call.tool(), call.callId(), input, "", null, clientMeta);
    }

    static TranscriptEntry of(String callId, String tool, RecordedResult result) {
      @Nullable String beside = textOrNull(result.beside());
      return new TranscriptEntry(
          RETURN, tool, callId, null, Json.text(result.json()), beside, null);
    }

    static TranscriptEntry text(String type, String content) {
      return new TranscriptEntry(type, null, null, null, content, null, null);
    }
  }

  private String write(Tx tx, TranscriptPosition place, TranscriptEntry entry) {
    String id = MessageId.random().value();
    tx.update(
        INSERT,
        id,
        place.run().value(),
        place.step(),
        entry.type(),
        entry.tool(),
        entry.callId(),
        entry.input(),
        entry.content(),
        clock.instant(),
        entry.beside(),
        place.replayed(),
        entry.clientMeta());
    return id;
  }

  /// Whether a tool was called in a run.
  public static boolean hasCalled(Tx tx, RunId run, String tool) {
    return tx.find(
            "select 1 from run_message where run_id = ? and type = ? and tool_name = ? limit 1",
            _ -> true,
            run.value(),
            CALL,
            tool)
        .isPresent();
  }

  /// Lines of a run, in order.
  public List<TranscriptLine> of(RunId run, String after, int limit) {
    return database.read(tx -> of(tx, run, after, limit));
  }

  /// All lines of a run, in order.
  public static List<TranscriptLine> of(Tx tx, RunId run) {
    return of(tx, run, "", Integer.MAX_VALUE);
  }

  private static List<TranscriptLine> of(Tx tx, RunId run, String after, int limit) {
    return tx
        .list(
            """
            select id, step, type, tool_name, tool_call_id, tool_input, content, at, beside,
              replayed, client_meta
            from run_message
            where run_id = ? and id >= ?
            order by id
            limit ?
            """,
            Transcript::lines,
            run.value(),
            after,
            // A row may have only lines before `after`.
            limit == Integer.MAX_VALUE ? limit : limit + 1)
        .stream()
        .flatMap(List::stream)
        .filter(line -> line.id().compareTo(after) > 0)
        .limit(limit)
        .toList();
  }

  /// The lines of a row: two if a call was recorded together with its result.
  static List<TranscriptLine> lines(ResultRow row) {
    TranscriptLine line = line(row);
    boolean hasResult = line.type().equals(CALL) && !line.content().isEmpty();
    return hasResult ? List.of(call(line), result(line)) : List.of(line);
  }

  private static TranscriptLine call(TranscriptLine both) {
    return new TranscriptLine(
        both.id(),
        both.step(),
        CALL,
        both.toolName(),
        both.toolCallId(),
        both.toolInput(),
        "",
        both.at(),
        null,
        both.replayed(),
        both.clientMeta());
  }

  private static TranscriptLine result(TranscriptLine both) {
    return new TranscriptLine(
        new MessageId(both.id()).following().value(),
        both.step(),
        RETURN,
        both.toolName(),
        both.toolCallId(),
        null,
        both.content(),
        both.at(),
        both.beside(),
        both.replayed(),
        null);
  }

  private static TranscriptLine line(ResultRow row) {
    return new TranscriptLine(
        row.text("id"),
        row.integer("step"),
        row.text("type"),
        row.textOrNull("tool_name"),
        row.textOrNull("tool_call_id"),
        json(row.textOrNull("tool_input")),
        row.text("content"),
        row.instant("at"),
        json(row.textOrNull("beside")),
        row.flag("replayed"),
        json(row.textOrNull("client_meta")));
  }

  private static @Nullable JsonNode json(@Nullable String text) {
    return text == null ? null : Json.own(text);
  }
}
