package dev.substrat.tool.execution;

import dev.substrat.store.Tx;
import dev.substrat.tool.CallDisplay.CallContext;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolPipeline.ResultWithUnread;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Commits the row of a call before the tool runs, and its result before the answer: a call that a
/// crash interrupts is on record.
///
/// For write calls that reach beyond the database, and for calls that a space shows. A call that is
/// repeated with the same key gets the recorded result. Proved by `KillMatrixTest`,
/// `RetriedCallsTest` and `KilledCallsTest`.
record RecordBeforeStrategy(
    CallRecorder recorder, BackgroundCalls background, RecordQueue queue, InstantSource clock)
    implements RecordingStrategy {
  @Override
  public ResultWithUnread execute(Tool tool, CallRecord.RecordableCall made) {
    StartedCall started = recorder.fenced(made, tx -> start(tx, tool, made));
    queue.succeed();
    if (started.answer() != null) {
      return started.answer();
    }
    InlineOutcome outcome = background.attempt(tool, made.heardBy(started.display()));
    return recorder.finish(tool, made, started.display(), outcome, WriteAheadRow.there());
  }

  /// A recorded call: `answer` is set if the call is a repetition whose result is known.
  private record StartedCall(CallContext display, @Nullable ResultWithUnread answer) {}

  private StartedCall start(Tx tx, Tool tool, CallRecord.RecordableCall made) {
    var earlier = RepeatedCalls.find(tx, made.call(), tool);
    if (earlier.isPresent()) {
      return new StartedCall(CallContext.UNSEEN, recorder.record(tx, made, earlier.get()));
    }
    recorder.recordCall(tx, made);
    RepeatedCalls.begin(tx, made.call(), tool, clock.instant());
    return new StartedCall(recorder.show(tx, tool, made), null);
  }
}
