package dev.substrat.tool.execution;

import dev.substrat.store.Database;
import dev.substrat.tool.CallDisplay.CallContext;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolPipeline.ResultWithUnread;

/// Queues the row of a call before the tool runs; row and result are durable before the answer.
///
/// For write calls of external agents without an idempotency key: such a call is never retried, so
/// nothing depends on a row that a crash within milliseconds loses (decision 0023). Saves one of
/// two commits. Proved by `CallRecordingTest` and `DeferredTransactionTest`.
record QueuedRowStrategy(
    CallRecorder recorder, BackgroundCalls background, RecordQueue queue, Database database)
    implements RecordingStrategy {
  @Override
  public ResultWithUnread execute(Tool tool, CallRecord.RecordableCall made) {
    var row = new WriteAheadRow(tx -> recorder.recordCall(tx, made));
    queue.add(made, row::write, row::lost);
    try {
      InlineOutcome outcome = background.attempt(tool, made);
      row.close();
      return recorder.finish(tool, made, CallContext.UNSEEN, outcome, row);
    } catch (StaleTurn e) {
      // The agent ended meanwhile, but the call was made.
      if (!row.isThere()) {
        database.transact(tx -> {
          recorder.recordCall(tx, made);
          return true;
        });
      }
      throw e;
    } catch (RuntimeException e) {
      queue.fail();
      throw e;
    }
  }
}
