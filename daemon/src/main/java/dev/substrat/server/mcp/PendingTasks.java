package dev.substrat.server.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.McpTask;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Pending calls as tasks of the MCP client that made them.
public final class PendingTasks {
  /// JSON-RPC error code of an internal error.
  private static final int INTERNAL_ERROR = -32603;

  private final Database database;
  private final PendingCalls calls;
  private final Function<ObjectNode, ObjectNode> results;
  private final TaskCompletionHandler ends;

  /// Effects of a client on a pending call.
  public interface TaskCompletionHandler {
    /// Rejects invalid answers before any of them is stored.
    void require(PendingCall call, ObjectNode answers);

    void answered(Tx tx, PendingCall call);

    /// The client has cancelled the call, in `run` if it has one.
    void cancelled(Tx tx, PendingCall call, @Nullable RunId run);

    /// The client has fetched the result, in `run` if it has one.
    default void fetched(Tx tx, PendingCall call, @Nullable RunId run) {
      // Most calls need no further action.
    }
  }

  /// `results` converts the outcome of a call into its result.
  public PendingTasks(
      Database database,
      PendingCalls calls,
      Function<ObjectNode, ObjectNode> results,
      TaskCompletionHandler ends) {
    this.ends = ends;
    this.database = database;
    this.calls = calls;
    this.results = results;
  }

  public Optional<McpTask> find(String owner, String id) {
    return calls.find(owner, id).map(this::task);
  }

  /// The same for its client in `run`, which has received the result with it.
  public Optional<McpTask> fetch(String owner, @Nullable RunId run, String id) {
    Optional<PendingCall> found = calls.find(owner, id);
    found
        .filter(call -> call.status().isOver())
        .ifPresent(call ->
            database.transact(tx -> {
              ends.fetched(tx, call, run);
              return true;
            }));
    return found.map(this::task);
  }

  /// False if the owner has no such call; a finished call accepts no answers.
  public boolean answer(String owner, String id, ObjectNode answers) {
    calls
        .find(owner, id)
        .filter(PendingTasks::isAsking)
        .ifPresent(call -> ends.require(call, answers));
    return database.<Boolean>transact(tx -> {
      boolean asks = calls.find(tx, owner, id).filter(PendingTasks::isAsking).isPresent();
      Optional<PendingCall> now = calls.answer(tx, owner, id, answers);
      now.filter(call -> asks && call.status() == PendingCall.PendingCallStatus.PENDING)
          .ifPresent(call -> ends.answered(tx, call));
      return now.isPresent();
    });
  }

  private static boolean isAsking(PendingCall call) {
    return call.status() == PendingCall.PendingCallStatus.ASKING;
  }

  /// False if the owner has no such call; a finished call stays unchanged.
  public boolean cancel(String owner, @Nullable RunId run, String id) {
    return database.<Boolean>transact(tx -> {
      Optional<PendingCall> call = calls.find(tx, owner, id);
      call.ifPresent(one -> ends.cancelled(tx, one, run));
      return call.isPresent();
    });
  }

  public McpTask task(PendingCall call) {
    var expiry = call.expiresAt();
    return new McpTask(
        call.id(),
        status(call.status()),
        call.status() == PendingCall.PendingCallStatus.EXPIRED ? "no answer arrived in time" : null,
        call.createdAt(),
        call.updatedAt(),
        expiry == null ? null : Duration.between(call.createdAt(), expiry),
        detail(call));
  }

  private static McpTask.TaskStatus status(PendingCall.PendingCallStatus status) {
    return switch (status) {
      case PENDING -> McpTask.TaskStatus.WORKING;
      case ASKING -> McpTask.TaskStatus.INPUT_REQUIRED;
      case COMPLETED -> McpTask.TaskStatus.COMPLETED;
      case FAILED, EXPIRED -> McpTask.TaskStatus.FAILED;
      case CANCELLED -> McpTask.TaskStatus.CANCELLED;
    };
  }

  private ObjectNode detail(PendingCall call) {
    var detail = Json.object();
    var result = call.result();
    switch (call.status()) {
      case PENDING, CANCELLED -> {
        // The status is sufficient.
      }
      case ASKING -> detail.set("inputRequests", call.questions());
      case COMPLETED ->
          detail.set("result", results.apply(result == null ? Json.object() : result));
      case FAILED, EXPIRED ->
          detail
              .putObject("error")
              .put("code", INTERNAL_ERROR)
              .put("message", result == null ? "it expired" : result.path("reason").asText());
    }
    return detail;
  }
}
