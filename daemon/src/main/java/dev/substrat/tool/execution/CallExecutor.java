package dev.substrat.tool.execution;

import dev.substrat.store.Database;
import dev.substrat.tool.CallDisplay;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolPipeline.ResultWithUnread;
import java.time.InstantSource;

/// Executes tool calls whose arguments are valid, each with the one recording strategy that fits.
public final class CallExecutor {
  private final CallDisplay display;
  private final CallRecorder recorder;
  private final RecordQueue queue;
  private final OneTransactionStrategy oneTransaction;
  private final RecordBeforeStrategy rowFirst;
  private final QueuedRowStrategy queuedRow;
  private final RecordAfterStrategy recordedAfter;
  private final RunningCalls running = new RunningCalls();

  public CallExecutor(
      Database database,
      CallDisplay display,
      CallRecorder recorder,
      BackgroundCalls background,
      InstantSource clock) {
    this.display = display;
    this.recorder = recorder;
    this.queue = new RecordQueue(database);
    this.oneTransaction = new OneTransactionStrategy(recorder);
    this.rowFirst = new RecordBeforeStrategy(recorder, background, queue, clock);
    this.queuedRow = new QueuedRowStrategy(recorder, background, queue, database);
    this.recordedAfter = new RecordAfterStrategy(recorder, background, queue, database);
  }

  public ResultWithUnread execute(Tool tool, CallRecord.RecordableCall made) {
    CallRecord.RecordableCall heard =
        tool.reportsProgress() && !tool.isShown()
            ? made.heardBy(display.progress(made.call(), tool, null))
            : made;
    return switch (strategy(tool, heard)) {
      case RecordAfterStrategy strategy -> strategy.execute(tool, heard);
      case OneTransactionStrategy strategy -> exclusive(strategy, tool, heard);
      case RecordBeforeStrategy strategy -> exclusive(strategy, tool, heard);
      case QueuedRowStrategy strategy -> exclusive(strategy, tool, heard);
    };
  }

  private RecordingStrategy strategy(Tool tool, CallRecord.RecordableCall made) {
    if (tool.isOneTransaction()) {
      return oneTransaction;
    }
    if (tool.effect().isReadOnly() && !tool.isShown()) {
      return recordedAfter;
    }
    boolean needsRow =
        !tool.isOpenWorld() || tool.isShown() || made.call().idempotencyKey() != null;
    return needsRow || !queue.accepts(made) ? rowFirst : queuedRow;
  }

  /// Rejects a call while the same call (same key) is running: its result is not recorded yet, so
  /// it could not be found.
  private ResultWithUnread exclusive(
      RecordingStrategy strategy, Tool tool, CallRecord.RecordableCall made) {
    try (var registration = running.begin(made.call(), tool)) {
      return registration.isAlone()
          ? strategy.execute(tool, made)
          : recorder.record(made, RunningCalls.refusal(made.call().caller(), tool));
    }
  }
}
