package dev.substrat.inbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.id.MessageId;
import dev.substrat.id.RunId;
import dev.substrat.json.Json;
import dev.substrat.store.Row;
import dev.substrat.store.Tx;
import dev.substrat.tool.Caller;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What runs were given: each event once, in the order in which it came, with the step that fetched
/// it (0 for what the turn began with) and the time at which it was shown.
public final class RunInput {
  private static final String ADD =
      """
      insert into run_event
        (run_id, position, kind, message_id, payload, event_id, attempts, step)
      select ?, coalesce(max(position) + 1, 0), ?, ?, ?, ?, ?, ?
      from run_event where run_id = ?
      """;

  private RunInput() {}

  /// One event as it is on record; `id` is missing in records of older versions.
  public record Given(
      int position,
      int step,
      @Nullable String id,
      String kind,
      @Nullable String messageId,
      ObjectNode payload,
      int attempts,
      @Nullable Instant shownAt) {

    /// The event as its turn saw it.
    public InboxEvent event() {
      return new InboxEvent(
          id == null ? String.valueOf(position) : id,
          InboxEvent.Kind.parse(kind),
          messageId == null ? null : new MessageId(messageId),
          payload,
          attempts,
          false);
    }
  }

  public static void add(Tx tx, RunId run, int step, List<InboxEvent> events) {
    for (InboxEvent event : events) {
      tx.update(
          ADD,
          run.value(),
          event.kind(),
          event.message() == null ? null : event.message().value(),
          Json.text(event.payload()),
          event.id(),
          event.attempts(),
          step,
          run.value());
    }
  }

  /// Where a run stands in chains of messages: as deep as the deepest event it was given, because
  /// of that event's message.
  public record Chain(int depth, @Nullable MessageId cause) {}

  public static Chain chain(Tx tx, Caller caller) {
    return caller.isExternal()
        ? new Chain(caller.depth(), caller.cause())
        : chain(tx, caller.run());
  }

  public static Chain chain(Tx tx, RunId run) {
    return tx.find("select depth, cause_id from run where id = ?", RunInput::chain, run.value())
        .orElseGet(() -> new Chain(0, null));
  }

  private static Chain chain(Row row) {
    @Nullable String cause = row.textOrNull("cause_id");
    return new Chain(row.integer("depth"), cause == null ? null : new MessageId(cause));
  }

  /// What a run fetches itself may be deeper than what it began with.
  public static void deepen(Tx tx, RunId run, List<InboxEvent> fetched) {
    for (InboxEvent event : fetched) {
      tx.update(
          """
          update run set depth = ?, cause_id = coalesce(?, cause_id)
          where id = ? and depth < ? and turn_no > 0
          """,
          event.depth(),
          event.cause() == null ? null : event.cause().value(),
          run.value(),
          event.depth());
    }
  }

  public static void shown(Tx tx, RunId run, InboxEvent event, Instant now) {
    tx.update(
        "update run_event set shown_at = ? where run_id = ? and event_id = ?",
        now,
        run.value(),
        event.id());
  }

  public static List<Given> of(Tx tx, RunId run) {
    return tx.list(
        """
        select position, step, event_id, kind, message_id, payload, attempts, shown_at
        from run_event where run_id = ?
        order by position
        """,
        RunInput::given,
        run.value());
  }

  private static Given given(Row row) {
    return new Given(
        row.integer("position"),
        row.integer("step"),
        row.textOrNull("event_id"),
        row.text("kind"),
        row.textOrNull("message_id"),
        (ObjectNode) Json.own(row.text("payload")),
        row.integer("attempts"),
        row.instantOrNull("shown_at"));
  }
}
