package dev.substrat.messaging.inbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.transcript.RunTable;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Input events of runs: each event once, in order of arrival, with the step that fetched it (0 for
/// those at the start of the turn) and the time at which it was shown.
public final class RunInputEvents {
  private static final String ADD =
      """
      insert into run_event
        (run_id, position, kind, message_id, payload, event_id, attempts, step)
      select ?, coalesce(max(position) + 1, 0), ?, ?, ?, ?, ?, ?
      from run_event where run_id = ?
      """;

  private RunInputEvents() {}

  /// A recorded event; `id` is missing in records of older versions.
  public record RecordedEvent(
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
          InboxEvent.InboxEventKind.parse(kind),
          messageId == null ? null : new MessageId(messageId),
          payload,
          attempts,
          false,
          payload.path(InboxEvent.SUBJECT).textValue());
    }
  }

  public static void add(Tx tx, RunId run, int step, List<InboxEvent> events) {
    for (InboxEvent event : events) {
      tx.update(
          ADD,
          run.value(),
          event.kind(),
          event.message() == null || MessagePayload.isBrief(event) ? null : event.message().value(),
          MessagePayload.stored(event),
          event.id(),
          event.attempts(),
          step,
          run.value());
    }
  }

  /// Position of a run in a chain of messages: depth, cause and subject. It is that of the subject;
  /// without one, that of the newest event.
  public record ChainPosition(int depth, @Nullable MessageId cause, @Nullable String subject) {
    public static final ChainPosition NONE = new ChainPosition(0, null, null);

    /// That of the events a turn is given, oldest first.
    public static ChainPosition of(@Nullable String subject, List<InboxEvent> events) {
      return events.stream()
          .filter(event -> subject == null || subject.equals(event.subject()))
          .reduce(
              (older, newer) -> subject != null && older.depth() > newer.depth() ? older : newer)
          .map(event -> new ChainPosition(event.depth(), event.cause(), subject))
          .orElseGet(() -> new ChainPosition(0, null, subject));
    }
  }

  public static ChainPosition chain(Tx tx, ToolCaller caller) {
    return caller.isExternal()
        ? new ChainPosition(caller.depth(), caller.cause(), null)
        : chain(tx, caller.run());
  }

  /// The same for a pending call that `caller` opens.
  public static PendingCall.ChainPosition pendingChain(Tx tx, ToolCaller caller) {
    ChainPosition chain = chain(tx, caller);
    return new PendingCall.ChainPosition(
        chain.depth(), chain.cause() == null ? null : chain.cause().value(), chain.subject());
  }

  public static ChainPosition chain(Tx tx, RunId run) {
    return tx.find(
            "select depth, cause_id, subject, space_id from run where id = ?",
            row ->
                new ChainPosition(
                    row.integer("depth"),
                    messageId(row.textOrNull("cause_id")),
                    subject(row.textOrNull("subject"), row.textOrNull("space_id"))),
            run.value())
        .orElse(ChainPosition.NONE);
  }

  /// Effects of a turn in a space without its own subject belong to that space.
  private static @Nullable String subject(@Nullable String own, @Nullable String space) {
    return own == null && space != null ? new TurnSubject.SpaceSubject(space).key() : own;
  }

  /// The chain that a message in a space continues: that of the newest event which the run was
  /// given of this space, unless the run is about a question or a person's DM.
  public static ChainPosition chainIn(Tx tx, ToolCaller caller, String space) {
    ChainPosition chain = chain(tx, caller);
    boolean hasOwn =
        chain.subject() != null
            && !(TurnSubject.parse(chain.subject()) instanceof TurnSubject.SpaceSubject);
    return hasOwn || caller.isExternal()
        ? chain
        : of(tx, caller.run()).reversed().stream()
            .filter(given -> given.payload().path("space").asText().equals(space))
            .findFirst()
            .map(given -> ChainPosition.of(null, List.of(given.event())))
            .orElse(chain);
  }

  private static @Nullable MessageId messageId(@Nullable String value) {
    return value == null ? null : new MessageId(value);
  }

  /// A run without a subject has fetched more events: it follows the newest of them from now on.
  public static void follow(Tx tx, RunId run, List<InboxEvent> fetched) {
    if (!fetched.isEmpty()) {
      ChainPosition chain = ChainPosition.of(null, fetched);
      RunTable.setChain(tx, run, chain.depth(), chain.cause());
    }
  }

  /// Whether both are attempts at the same turn: they began with some of the same events.
  public static boolean isSameTurn(Tx tx, RunId run, String other) {
    return run.value().equals(other)
        || tx.find(
                """
                select 1 from run_event one join run_event two on two.event_id = one.event_id
                where one.run_id = ? and two.run_id = ? and one.step = 0 and two.step = 0
                limit 1
                """,
                _ -> true,
                run.value(),
                other)
            .isPresent();
  }

  /// Whether a run began with one of these events. If they are given to a turn again, the run was
  /// an attempt at that turn.
  public static boolean beganWith(Tx tx, String run, List<InboxEvent> events) {
    List<String> began =
        tx.list(
            "select event_id from run_event where run_id = ? and step = 0 and event_id is not null",
            row -> row.text("event_id"),
            run);
    return events.stream().anyMatch(event -> began.contains(event.id()));
  }

  public static void shown(Tx tx, RunId run, InboxEvent event, Instant now) {
    tx.update(
        "update run_event set shown_at = ? where run_id = ? and event_id = ?",
        now,
        run.value(),
        event.id());
  }

  public static List<RecordedEvent> of(Tx tx, RunId run) {
    return tx.list(
        """
        select position, step, event_id, run_event.kind, message_id, payload, attempts, shown_at,
          message.id as brought, COLUMNS
        from run_event left join message on message.id = run_event.event_id
        where run_event.run_id = ?
        order by position
        """
            .replace("COLUMNS", MessagePayload.COLUMNS),
        RunInputEvents::given,
        run.value());
  }

  private static RecordedEvent given(ResultRow row) {
    @Nullable String event = row.textOrNull("event_id");
    @Nullable String brought = row.textOrNull("brought");
    return new RecordedEvent(
        row.integer("position"),
        row.integer("step"),
        event,
        row.text("kind"),
        brought == null ? row.textOrNull("message_id") : brought,
        MessagePayload.read(row, brought == null ? "" : brought),
        row.integer("attempts"),
        row.instantOrNull("shown_at"));
  }
}
