package dev.substrat.tool.execution;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Tx;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.pending.PendingCalls;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Recognises repeated calls of a retried turn, for effects that cannot be found again in the
/// database.
public final class RepeatedCalls {
  private static final String REMEMBER =
      """
      insert into call_done (agent_id, call_key, at)
      values (?, ?, ?)
      on conflict do nothing
      """;

  /// Prefix before the name of a tool: a pending call was opened to be sent to a service.
  public static final String HAND_OVER = "hand_over/";

  private RepeatedCalls() {}

  /// True if `what` was not done under this call's key yet; the commit records it. Without a key a
  /// repetition cannot be recognised, so it is done.
  public static boolean isFirst(Tx tx, ToolCall call, String what, Instant now) {
    String key = call.idempotencyKey();
    return key == null
        || tx.update(REMEMBER, call.caller().agent().id().value(), what + "/" + key, now) == 1;
  }

  /// True if `what` was done under this call's key. For calls that may be rejected: a rejected call
  /// does not count as done.
  public static boolean wasDone(Tx tx, ToolCall call, String what) {
    return call.idempotencyKey() != null
        && tx.find(
                "select 1 from call_done where agent_id = ? and call_key = ?",
                _ -> true,
                call.caller().agent().id().value(),
                what + "/" + call.idempotencyKey())
            .isPresent();
  }

  /// An id for what the call makes: the same whenever this agent repeats it, and no other's.
  public static String id(ToolCall call) {
    String key = call.idempotencyKey();
    if (key == null) {
      return MessageId.random().value();
    }
    String whose = call.caller().agent().id() + "/" + key;
    return UUID.nameUUIDFromBytes(whose.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /// When `what` was done first.
  public static Instant firstTime(Tx tx, ToolCall call, String what) {
    return tx.find(
            "select at from call_done where agent_id = ? and call_key = ?",
            row -> row.instant("at"),
            call.caller().agent().id().value(),
            what + "/" + call.idempotencyKey())
        .orElseThrow();
  }

  /// The result of `work`. If it was done under this call's key, it is not executed again, and the
  /// stored result is returned.
  public static <R extends Record> R once(
      Tx tx, ToolCall call, String what, Instant now, Class<R> type, Supplier<R> work) {
    if (call.idempotencyKey() == null) {
      return work.get();
    }
    String agent = call.caller().agent().id().value();
    String key = what + "/" + call.idempotencyKey();
    Optional<String> before =
        tx.find(
            "select result from call_done where agent_id = ? and call_key = ?",
            row -> row.text("result"),
            agent,
            key);
    if (before.isPresent()) {
      return Json.as(Json.own(before.get()), type);
    }
    R result = work.get();
    tx.update(
        "insert into call_done (agent_id, call_key, at, result) values (?, ?, ?, ?)",
        agent,
        key,
        now,
        Json.text(result));
    return result;
  }

  /// Forgets that `what` was done under this call's key: a repeated call does it again.
  static void forget(Tx tx, ToolCall call, String what) {
    tx.update(
        "delete from call_done where agent_id = ? and call_key = ?",
        call.caller().agent().id().value(),
        what + "/" + call.idempotencyKey());
  }

  /// The earlier result of a call under this key, if it left the daemon: external effects of a dead
  /// attempt are not repeated.
  static Optional<ToolResult> find(Tx tx, ToolCall call, Tool tool) {
    return call.idempotencyKey() == null || !tool.isOpenWorld()
        ? Optional.empty()
        : tx.find(
                "select result from call_done where agent_id = ? and call_key = ?",
                row -> Optional.ofNullable(row.textOrNull("result")),
                call.caller().agent().id().value(),
                key(call, tool))
            .map(result ->
                result
                    .map(reply -> recorded(tx, call, (ObjectNode) Json.own(reply)))
                    .orElseGet(() -> CallRecovery.unknown(tool.name())));
  }

  /// Records the start of a call that is not safe to repeat. If no result is stored, because the
  /// daemon dies, a repetition gets `INTERRUPTED`.
  static void begin(Tx tx, ToolCall call, Tool tool, Instant now) {
    InlinePolicy deferral = tool.deferral();
    if (call.idempotencyKey() != null
        && deferral != null
        && !deferral.isRepeatable()
        && !deferral.isHandedOver()) {
      tx.update(REMEMBER, call.caller().agent().id().value(), key(call, tool), now);
    }
  }

  /// A call that became pending is the same pending call again, in its current state.
  private static ToolResult recorded(Tx tx, ToolCall call, ObjectNode reply) {
    var json = (ObjectNode) reply.path("json");
    String pending =
        json.path("status").asText().equals("pending")
            ? json.path("pendingToolCallId").asText()
            : "";
    return PendingCalls.find(tx, pending)
        .filter(kept -> kept.owner().equals(call.caller().agent().id().value()))
        .<ToolResult>map(kept ->
            reply.path("hint").isTextual()
                ? new ToolResult.Pending(kept, reply.path("hint").textValue())
                : new ToolResult.Pending(kept))
        .orElseGet(() -> ToolResult.recorded(json, reply.path("hint").textValue()));
  }

  /// Key of a call of `tool`, unique per agent.
  static String key(ToolCall call, Tool tool) {
    return tool.name() + "/" + call.idempotencyKey();
  }

  /// Stores the result of a call of `tool` for repetitions. A call that was rejected before its
  /// start may be repeated; of an interrupted call only the start is recorded.
  static void keep(Tx tx, ToolCall call, Tool tool, Instant now, ToolResult reply) {
    if (call.idempotencyKey() == null || !tool.isOpenWorld()) {
      return;
    }
    InlinePolicy deferral = tool.deferral();
    @Nullable ErrorCode code = reply instanceof ToolResult.Failed failed ? failed.code() : null;
    boolean isInterrupted =
        code == ErrorCode.STOPPING && deferral != null && !deferral.isHandedOver();
    boolean isRefused = code == ErrorCode.LIMIT_REACHED;
    if (isRefused) {
      tx.update(
          "delete from call_done where agent_id = ? and call_key = ? and result is null",
          call.caller().agent().id().value(),
          key(call, tool));
    } else if (!isInterrupted) {
      tx.update(
          """
          insert into call_done (agent_id, call_key, at, result) values (?, ?, ?, ?)
          on conflict (agent_id, call_key) do update set result = excluded.result
          where call_done.result is null
          """,
          call.caller().agent().id().value(),
          key(call, tool),
          now,
          Json.text(Json.object().put("hint", reply.hint()).set("json", reply.json())));
    }
  }
}
