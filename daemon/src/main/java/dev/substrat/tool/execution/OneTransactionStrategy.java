package dev.substrat.tool.execution;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.tool.CallDisplay.CallContext;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolPipeline.ResultWithUnread;
import dev.substrat.tool.ToolResult;

/// Commits a call, its effect and its record together: after a crash all of it is there, or
/// nothing.
///
/// For tools that only work in the database ([Tool#isOneTransaction]). An error of the tool rolls
/// its effect back; the error is then recorded in a second transaction. Proved by `KillMatrixTest`
/// and `OneTransactionTest`.
record OneTransactionStrategy(CallRecorder recorder) implements RecordingStrategy {
  @Override
  public ResultWithUnread execute(Tool tool, CallRecord.RecordableCall made) {
    try {
      return recorder.fenced(
          made,
          tx -> {
            var earlier = RepeatedCalls.find(tx, made.call(), tool);
            if (earlier.isPresent()) {
              return recorder.record(tx, made, earlier.get());
            }
            CallContext display = recorder.show(tx, tool, made);
            ToolResult result = tx.including(() -> CallAttempt.orReject(tool, made));
            recorder.close(tx, tool, made, display, result);
            return recorder.record(tx, made, result);
          });
    } catch (CallAttempt.RejectedCallException rejected) {
      return recorder.record(made, ToolResult.Failed.because(rejected.fault()));
    } catch (StaleTurn e) {
      throw e;
    } catch (RuntimeException e) {
      // Without the database nothing can be recorded. Any other failure is recorded.
      if (e instanceof Fault fault && fault.code().kind() != ErrorCode.ErrorKind.BUG) {
        throw fault;
      }
      return recorder.record(made, CallAttempt.internalError(made, e));
    }
  }
}
