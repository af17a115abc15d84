package dev.substrat.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.tool.execution.CancelSignal;
import dev.substrat.tool.execution.InlineWait;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// One call of a tool, made in a step of the caller's run (0 if it has none). A repeated
/// idempotency key must not repeat the work: the bridge sends one per request, and attempts at the
/// same turn number their calls alike. `clientMeta` has the ids under which an MCP client knows the
/// call, `progress` receives progress reports, `interest` tells whether the caller still needs the
/// result, `inlineWait` is how long the caller waits for it.
public record ToolCall(
    ToolCaller caller,
    int step,
    String id,
    @Nullable String idempotencyKey,
    @Nullable ObjectNode clientMeta,
    ProgressSink progress,
    CancelSignal interest,
    InlineWait inlineWait) {

  /// A call without a client.
  public ToolCall(ToolCaller caller, int step, String id, @Nullable String idempotencyKey) {
    this(caller, step, id, idempotencyKey, null);
  }

  /// One whose maker does not listen.
  public ToolCall(
      ToolCaller caller,
      int step,
      String id,
      @Nullable String idempotencyKey,
      @Nullable ObjectNode clientMeta) {
    this(caller, step, id, idempotencyKey, clientMeta, ProgressSink.UNHEARD);
  }

  /// A call that cannot be cancelled.
  public ToolCall(
      ToolCaller caller,
      int step,
      String id,
      @Nullable String idempotencyKey,
      @Nullable ObjectNode clientMeta,
      ProgressSink progress) {
    this(caller, step, id, idempotencyKey, clientMeta, progress, CancelSignal.LASTING);
  }

  /// One whose maker waits for its answer.
  public ToolCall(
      ToolCaller caller,
      int step,
      String id,
      @Nullable String idempotencyKey,
      @Nullable ObjectNode clientMeta,
      ProgressSink progress,
      CancelSignal interest) {
    this(caller, step, id, idempotencyKey, clientMeta, progress, interest, InlineWait.NONE);
  }

  /// The same call with transformed progress reports.
  public ToolCall mappingProgress(UnaryOperator<ObjectNode> instead) {
    return new ToolCall(
        caller,
        step,
        id,
        idempotencyKey,
        clientMeta,
        status -> progress.report(instead.apply(status)),
        interest,
        inlineWait);
  }

  /// The same call with an additional progress listener.
  public ToolCall withProgress(ProgressSink other) {
    return new ToolCall(
        caller,
        step,
        id,
        idempotencyKey,
        clientMeta,
        progress.andThen(other),
        interest,
        inlineWait);
  }

  /// The same call, executed in the background.
  public ToolCall executedBy(CancelSignal background, InlineWait waiting) {
    return new ToolCall(
        caller, step, id, idempotencyKey, clientMeta, progress, background, waiting);
  }
}
