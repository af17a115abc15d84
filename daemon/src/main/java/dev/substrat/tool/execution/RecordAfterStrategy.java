package dev.substrat.tool.execution;

import dev.substrat.store.Database;
import dev.substrat.tool.CallDisplay.CallContext;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolPipeline.ResultWithUnread;
import dev.substrat.tool.ToolResult;
import java.util.Optional;

/// Records a read-only call together with its result, after it ran: a crash before that loses
/// nothing that was done.
///
/// Calls of turns are durable before the answer. Small results of external agents are queued and
/// become durable just after it, before anything that is written later (decision 0022). Proved by
/// `CallRecordingTest`, `DeferredTransactionTest` and `DelayedCommitTest`.
record RecordAfterStrategy(
    CallRecorder recorder, BackgroundCalls background, RecordQueue queue, Database database)
    implements RecordingStrategy {
  @Override
  public ResultWithUnread execute(Tool tool, CallRecord.RecordableCall made) {
    if (!tool.isOpenWorld()) {
      return record(made, CallAttempt.reply(tool, made));
    }
    Optional<ToolResult> pending = findPending(tool, made);
    if (pending.isPresent()) {
      return recorder.record(made, pending.get());
    }
    var slowRead =
        SlowReadRecorder.begin(() ->
            recorder.fenced(
                made,
                tx -> {
                  recorder.recordCall(tx, made);
                  return made;
                }));
    InlineOutcome outcome;
    boolean isOnRecord;
    try {
      outcome = background.attempt(tool, made);
    } finally {
      isOnRecord = slowRead.end();
    }
    return !isOnRecord && outcome instanceof InlineOutcome.CallFinished finished
        ? record(made, finished.reply())
        : recorder.finish(
            tool,
            made,
            CallContext.UNSEEN,
            outcome,
            isOnRecord ? WriteAheadRow.there() : WriteAheadRow.missing());
  }

  /// Only a call that became pending is found again by its key.
  private Optional<ToolResult> findPending(Tool tool, CallRecord.RecordableCall made) {
    return tool.deferral() == null || made.call().idempotencyKey() == null
        ? Optional.empty()
        : database
            .read(tx -> RepeatedCalls.find(tx, made.call(), tool))
            .filter(ToolResult.Pending.class::isInstance);
  }

  private ResultWithUnread record(CallRecord.RecordableCall made, ToolResult result) {
    if (!queue.accepts(made)) {
      ResultWithUnread recorded = recorder.record(made, result);
      queue.succeed();
      return recorded;
    }
    ResultWithUnread answer = recorder.withUnread(made, result);
    if (!RecordQueue.isSmall(made, answer)) {
      return recorder.record(made, result);
    }
    queue.add(
        made,
        tx -> {
          recorder.recordFenced(tx, made, answer);
          return true;
        },
        () -> {});
    return answer;
  }
}
