package dev.substrat.pending;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.event.EventLog;
import dev.substrat.event.NewEvent;
import dev.substrat.id.MessageId;
import dev.substrat.json.Json;
import dev.substrat.pending.PendingCall.Status;
import dev.substrat.store.Database;
import dev.substrat.store.Row;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Keeps calls until they are answered. Whatever ends one, it ends once: the first who says how it
/// came out is believed, and every later one is told that it is over.
public final class PendingCalls {
  private static final int BATCH = 100;

  private static final String COLUMNS =
      """
      select id, owner, run_id, tool, arguments, status, questions, answers, result,
        created_at, updated_at, expires_at
      from pending_call
      """;

  private static final String OPEN =
      """
      insert into pending_call (
        id, owner, run_id, tool, arguments, status, questions, created_at, updated_at, expires_at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String SETTLE =
      """
      update pending_call set status = ?, result = ?, questions = null, updated_at = ?
      where id = ? and status in ('pending', 'asking')
      """;

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  public PendingCalls(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  /// What is called, by whom, and what they are asked first; without `patience` it waits for ever.
  public record Opening(
      String owner,
      @Nullable String run,
      String tool,
      ObjectNode arguments,
      ObjectNode questions,
      @Nullable Duration patience) {}

  /// Durable with the transaction's commit; before that nobody may be told of it.
  public PendingCall open(Tx tx, Opening call) {
    String id = MessageId.random().value();
    Instant now = clock.instant();
    boolean asks = !call.questions().isEmpty();
    tx.update(
        OPEN,
        id,
        call.owner(),
        call.run(),
        call.tool(),
        Json.text(call.arguments()),
        asks ? Status.ASKING : Status.PENDING,
        asks ? Json.text(call.questions()) : null,
        now,
        now,
        call.patience() == null ? null : now.plus(call.patience()));
    PendingCall opened = find(tx, call.owner(), id).orElseThrow();
    tell(tx, opened);
    return opened;
  }

  public Optional<PendingCall> find(String owner, String id) {
    return database.read(tx -> find(tx, owner, id));
  }

  private static Optional<PendingCall> find(Tx tx, String owner, String id) {
    return tx.find(COLUMNS + " where id = ? and owner = ?", PendingCalls::call, id, owner);
  }

  /// The work is done, well or not; false if the call was over already.
  public boolean complete(Tx tx, String id, ObjectNode result) {
    return settle(tx, id, Status.COMPLETED, result);
  }

  /// The work could not even be tried; false if the call was over already.
  public boolean fail(Tx tx, String id, String reason) {
    return settle(tx, id, Status.FAILED, Json.object().put("reason", reason));
  }

  /// Nobody wants it any more; false if the call was over already.
  public boolean cancel(Tx tx, String id) {
    return settle(tx, id, Status.CANCELLED, null);
  }

  private boolean settle(Tx tx, String id, Status status, @Nullable ObjectNode result) {
    String kept = result == null ? null : Json.text(result);
    boolean first = tx.update(SETTLE, status, kept, clock.instant(), id) == 1;
    if (first) {
      tx.find(COLUMNS + " where id = ?", PendingCalls::call, id).ifPresent(call -> tell(tx, call));
    }
    return first;
  }

  /// Takes the owner's answers to what is still asked and leaves the others out. With the last one
  /// the call goes on.
  public Optional<PendingCall> answer(Tx tx, String owner, String id, ObjectNode answers) {
    // Two answers at once must both count.
    tx.update("update pending_call set status = status where id = ?", id);
    Optional<PendingCall> found = find(tx, owner, id);
    if (found.isEmpty() || found.get().status() != Status.ASKING) {
      return found;
    }
    ObjectNode open = found.get().questions().deepCopy();
    ObjectNode known = found.get().answers().deepCopy();
    answers
        .properties()
        .forEach(one -> {
          if (open.remove(one.getKey()) != null) {
            known.set(one.getKey(), one.getValue());
          }
        });
    tx.update(
        """
        update pending_call set status = ?, questions = ?, answers = ?, updated_at = ?
        where id = ?
        """,
        open.isEmpty() ? Status.PENDING : Status.ASKING,
        open.isEmpty() ? null : Json.text(open),
        Json.text(known),
        clock.instant(),
        id);
    Optional<PendingCall> now = find(tx, owner, id);
    now.ifPresent(call -> tell(tx, call));
    return now;
  }

  /// Ends those that waited too long; returns how many.
  public int expire() {
    if (database.read(this::due).isEmpty()) {
      return 0;
    }
    return database.transact(tx -> {
      List<String> due = due(tx);
      due.forEach(id -> settle(tx, id, Status.EXPIRED, null));
      return due.size();
    });
  }

  private List<String> due(Tx tx) {
    return tx.list(
        """
        select id from pending_call
        where status in ('pending', 'asking') and expires_at <= ?
        order by expires_at
        limit ?
        """,
        row -> row.text("id"),
        clock.instant(),
        BATCH);
  }

  private void tell(Tx tx, PendingCall call) {
    var event =
        NewEvent.of("pending_call")
            .about(call.owner())
            .with("callId", call.id())
            .with("tool", call.tool())
            .with("status", call.status().toString());
    events.append(tx, call.run() == null ? event : event.during(call.run()));
  }

  private static PendingCall call(Row row) {
    return new PendingCall(
        row.text("id"),
        row.text("owner"),
        row.textOrNull("run_id"),
        row.text("tool"),
        (ObjectNode) Json.own(row.text("arguments")),
        Status.of(row.text("status")),
        object(row.textOrNull("questions")),
        object(row.textOrNull("answers")),
        row.textOrNull("result") == null ? null : object(row.textOrNull("result")),
        row.instant("created_at"),
        row.instant("updated_at"),
        row.instantOrNull("expires_at"));
  }

  private static ObjectNode object(@Nullable String text) {
    return text == null ? Json.object() : (ObjectNode) Json.own(text);
  }
}
