package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.execution.RepeatedCalls;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import java.time.InstantSource;
import java.util.Map;

/// Executes a tool by handing the call to a service, which sends the result later to a callback
/// URL.
record WebhookToolExecutor(
    Database database,
    InstantSource clock,
    PendingToolExecutor question,
    HttpToolExecutor http,
    CallbackUrls callbacks)
    implements ToolExecutor {

  /// The id of the pending call that was opened under an idempotency key.
  private record OpenedCall(String id) {}

  /// The pending call is stored before the request is sent: the service may answer immediately.
  @Override
  public ToolResult run(ToolCall call, ObjectNode arguments) {
    PendingCall kept = database.<PendingCall>transact(tx -> open(tx, call, arguments));
    if (kept.status().isOver()) {
      return new ToolResult.Pending(kept);
    }
    call.inlineWait().keptAs(kept);
    var headers =
        Map.of("Substrat-Callback-Url", callbacks.url(kept), "Substrat-Call-Id", kept.id());
    ToolResult reply = http.run(call, arguments, headers);
    return reply instanceof ToolResult.Failed ? reply : new ToolResult.Pending(kept);
  }

  /// A retried turn repeats a call whose first attempt died before it was recorded. Both are the
  /// same pending call, so the service can recognise it, and its result arrives once.
  private PendingCall open(Tx tx, ToolCall call, ObjectNode arguments) {
    var opened =
        RepeatedCalls.once(
            tx,
            call,
            RepeatedCalls.HAND_OVER + question.config().name(),
            clock.instant(),
            OpenedCall.class,
            () -> new OpenedCall(question.open(tx, call, arguments).id()));
    return PendingCalls.adopt(tx, opened.id(), call.caller().run().value(), call.id());
  }
}
