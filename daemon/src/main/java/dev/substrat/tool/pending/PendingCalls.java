package dev.substrat.tool.pending;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.tool.pending.PendingCall.CallOrigin;
import dev.substrat.tool.pending.PendingCall.ChainPosition;
import dev.substrat.tool.pending.PendingCall.PendingCallStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Store of pending calls. A call is resolved once: the first result is recorded, every later one
/// is rejected.
public final class PendingCalls {
  private static final int BATCH = 100;

  private static final String OPEN =
      """
      insert into pending_call (
        id, owner, run_id, tool, arguments, status, questions, created_at, updated_at, expires_at,
        display, depth, cause_id, subject, call_id, redacted)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String SETTLE =
      """
      update pending_call
      set status = ?, result = ?, questions = null, updated_at = ?, answered_by = ?
      where id = ? and status in ('pending', 'asking')
      """;

  /// The same for an answer, which is rejected after the expiry even if the call was not marked as
  /// expired yet.
  private static final String SETTLE_IN_TIME =
      SETTLE + " and (expires_at is null or expires_at > ?)";

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  public PendingCalls(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  /// Parameters of a new pending call: tool, agent and questions; without `patience` it never
  /// expires. `display` is shown to the person who answers.
  public record NewPendingCall(
      String owner,
      @Nullable String run,
      String tool,
      ObjectNode arguments,
      ObjectNode questions,
      @Nullable Duration timeout,
      ObjectNode display,
      ChainPosition chain,
      CallOrigin origin) {

    /// Not shown to people.
    public NewPendingCall(
        String owner,
        @Nullable String run,
        String tool,
        ObjectNode arguments,
        ObjectNode questions,
        @Nullable Duration timeout) {
      this(
          owner,
          run,
          tool,
          arguments,
          questions,
          timeout,
          Json.object(),
          ChainPosition.NONE,
          CallOrigin.NONE);
    }
  }

  /// Filter of calls; null matches all. Calls that the daemon executes itself are omitted unless
  /// `includesExecuted`.
  public record PendingCallFilter(
      @Nullable String owner, @Nullable Boolean isOpen, boolean includesExecuted) {

    public PendingCallFilter(@Nullable String owner, @Nullable Boolean isOpen) {
      this(owner, isOpen, false);
    }
  }

  /// Durable with the transaction's commit; announce it only after that.
  public PendingCall open(Tx tx, NewPendingCall call) {
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
        asks ? PendingCallStatus.ASKING : PendingCallStatus.PENDING,
        asks ? Json.text(call.questions()) : null,
        now,
        now,
        call.timeout() == null ? null : now.plus(call.timeout()),
        Json.text(call.display()),
        call.chain().depth(),
        call.chain().cause(),
        call.chain().subject(),
        call.origin().callId(),
        Json.text(call.origin().redacted()));
    PendingCall opened = PendingCallTable.find(tx, id).orElseThrow();
    recordOpened(tx, opened);
    return opened;
  }

  /// Assigns an open call to another attempt at the same tool call.
  public static PendingCall adopt(Tx tx, String id, String run, @Nullable String callId) {
    tx.update(
        """
        update pending_call set run_id = ?, call_id = ?
        where id = ? and status in ('pending', 'asking')
        """,
        run,
        callId,
        id);
    return PendingCallTable.find(tx, id).orElseThrow();
  }

  /// People see it there, as this message.
  public static void staged(Tx tx, String id, String space, MessageId message) {
    tx.update(
        "update pending_call set space_id = ?, message_id = ? where id = ?",
        space,
        message.value(),
        id);
  }

  public Optional<PendingCall> find(String owner, String id) {
    return database.read(tx -> find(tx, owner, id));
  }

  public static Optional<PendingCall> find(Tx tx, String id) {
    return PendingCallTable.find(tx, id);
  }

  public Optional<PendingCall> find(Tx tx, String owner, String id) {
    return PendingCallTable.find(tx, id).filter(call -> call.owner().equals(owner));
  }

  public static List<PendingCall> openOf(Tx tx, String owner) {
    return PendingCallTable.openOf(tx, owner);
  }

  /// Number of open calls that wait for an answer, of those that `who` may see.
  public static long countOpen(Tx tx, Principal who) {
    return PendingCallTable.countOpen(tx, memberOf(who));
  }

  /// Calls that `who` may see: those that a person or a service is asked, and those that the daemon
  /// executes if the filter includes them.
  public static List<PendingCall> list(
      Tx tx, Principal who, PendingCallFilter filter, String after, int limit) {
    return PendingCallTable.list(tx, memberOf(who), filter, after, limit);
  }

  /// The most recently resolved calls that `who` may see, latest first.
  public static List<PendingCall> recentlyResolved(Tx tx, Principal who, int limit) {
    return PendingCallTable.overLast(tx, memberOf(who), limit);
  }

  /// The member in whose spaces the visible calls were asked; null for an operator, who sees all.
  private static @Nullable String memberOf(Principal who) {
    CallerPermissions.requireRole(who, Scope.APPROVALS_READ);
    return who.isOperator() ? null : who.key();
  }

  /// Records that the calls were shown to a principal who can answer them.
  public void shown(List<PendingCall> calls) {
    List<String> unseen =
        calls.stream()
            .filter(call -> call.sight().shownAt() == null && !call.status().isOver())
            .map(PendingCall::id)
            .toList();
    if (!unseen.isEmpty()) {
      database.transact(tx -> {
        PendingCallTable.shown(tx, unseen, clock.instant());
        return true;
      });
    }
  }

  /// Whether an answer would still come in time.
  public boolean isWaiting(PendingCall call) {
    Instant end = call.expiresAt();
    return !call.status().isOver() && (end == null || clock.instant().isBefore(end));
  }

  /// The same call, locked until the end of this transaction.
  public static Optional<PendingCall> hold(Tx tx, String id) {
    tx.update("update pending_call set status = status where id = ?", id);
    return find(tx, id);
  }

  /// The work is done, well or not; false if the call was over already, or its time is.
  public boolean complete(Tx tx, String id, ObjectNode result) {
    return complete(tx, id, result, null);
  }

  /// The same, and records who answered.
  public boolean complete(Tx tx, String id, ObjectNode result, @Nullable String by) {
    Instant now = clock.instant();
    String kept = Json.text(result);
    return settled(
        tx, id, tx.update(SETTLE_IN_TIME, PendingCallStatus.COMPLETED, kept, now, by, id, now));
  }

  /// The work could not even be tried; false if the call was over already.
  public boolean fail(Tx tx, String id, String reason) {
    return settle(tx, id, PendingCallStatus.FAILED, Json.object().put("reason", reason));
  }

  /// Cancels a call; false if it was already resolved.
  public boolean cancel(Tx tx, String id) {
    return settle(tx, id, PendingCallStatus.CANCELLED, null);
  }

  /// Expires a call; false if it was already resolved.
  public boolean expire(Tx tx, String id) {
    return settle(tx, id, PendingCallStatus.EXPIRED, null);
  }

  private boolean settle(Tx tx, String id, PendingCallStatus status, @Nullable ObjectNode result) {
    String kept = result == null ? null : Json.text(result);
    return settled(tx, id, tx.update(SETTLE, status, kept, clock.instant(), null, id));
  }

  private boolean settled(Tx tx, String id, int rows) {
    if (rows == 1) {
      PendingCallTable.find(tx, id).ifPresent(call -> recordOpened(tx, call));
    }
    return rows == 1;
  }

  /// Stores the inbox event with the result.
  public static void setResultEvent(Tx tx, String id, String event) {
    tx.update("update pending_call set event_id = ? where id = ?", event, id);
  }

  public static ChainPosition chain(Tx tx, String id) {
    return tx.find(
            "select depth, cause_id, subject from pending_call where id = ?",
            row ->
                new ChainPosition(
                    row.integer("depth"), row.textOrNull("cause_id"), row.textOrNull("subject")),
            id)
        .orElse(ChainPosition.NONE);
  }

  /// The calls that a run made before one of its steps.
  public static List<PendingCall> listBeforeStep(Tx tx, String run, int step) {
    return tx
        .list(
            """
            select pending_call.id from pending_call join run_message
              on run_message.run_id = pending_call.run_id
                and run_message.tool_call_id = pending_call.call_id
                and run_message.type = 'tool_call_message'
            where pending_call.run_id = ? and run_message.step < ?
            order by pending_call.id
            """,
            row -> row.text("id"),
            run,
            step)
        .stream()
        .flatMap(id -> find(tx, id).stream())
        .toList();
  }

  /// Whether a call of `owner` that belongs to the subject has no result yet. A call that a turn
  /// left behind before it returned does not count: no turn knows of it, and it may never get one.
  public static boolean isOpenFor(Tx tx, String owner, String subject) {
    return tx.find(
            """
            select 1 from pending_call
            where owner = ? and subject = ? and status in ('pending', 'asking')
              and (call_id is null or exists (
                select 1 from run_message
                where run_message.run_id = pending_call.run_id
                  and run_message.tool_call_id = pending_call.call_id
                  and (run_message.type = 'tool_return_message'
                    or run_message.type = 'tool_call_message' and run_message.content <> '')))
            limit 1
            """,
            _ -> true,
            owner,
            subject)
        .isPresent();
  }

  public static CallOrigin origin(Tx tx, String id) {
    return tx.find(
            "select call_id, redacted from pending_call where id = ?",
            row -> {
              var keys = new ArrayList<String>();
              String redacted = row.textOrNull("redacted");
              Json.own(redacted == null ? "[]" : redacted).forEach(key -> keys.add(key.asText()));
              return new CallOrigin(row.textOrNull("call_id"), keys);
            },
            id)
        .orElse(CallOrigin.NONE);
  }

  /// Stores the owner's answers to open questions and ignores others. After the last answer the
  /// call continues.
  public Optional<PendingCall> answer(Tx tx, String owner, String id, ObjectNode answers) {
    // Two concurrent answers must both count.
    tx.update("update pending_call set status = status where id = ?", id);
    Optional<PendingCall> found = find(tx, owner, id);
    if (found.isEmpty() || found.get().status() != PendingCallStatus.ASKING) {
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
        open.isEmpty() ? PendingCallStatus.PENDING : PendingCallStatus.ASKING,
        open.isEmpty() ? null : Json.text(open),
        Json.text(known),
        clock.instant(),
        id);
    Optional<PendingCall> now = find(tx, owner, id);
    now.ifPresent(call -> recordOpened(tx, call));
    return now;
  }

  /// Ids of expired calls, up to a limit.
  public List<String> due(Tx tx) {
    return PendingCallTable.due(tx, clock.instant(), BATCH);
  }

  private void recordOpened(Tx tx, PendingCall call) {
    var event =
        NewEvent.of("pending_call")
            .about(call.owner())
            .with("callId", call.id())
            .with("tool", call.tool())
            .with("executing", call.isAsked() ? null : true)
            .with("status", call.status().word());
    events.append(tx, call.run() == null ? event : event.during(call.run()));
  }
}
