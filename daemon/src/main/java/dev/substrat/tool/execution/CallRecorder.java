package dev.substrat.tool.execution;

import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.tool.CallDisplay;
import dev.substrat.tool.CallDisplay.CallContext;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolPipeline.ResultWithUnread;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.TurnFence;
import dev.substrat.tool.UnreadSummary;
import java.time.InstantSource;

/// Writes the records of tool calls, each in a transaction that first checks that the caller's turn
/// is still the current one.
///
/// The steps that all recording strategies share are here; their order is in the strategies.
public final class CallRecorder {
  private final Database database;
  private final CallRecord calls;
  private final UnreadSummary.UnreadSource unread;
  private final CallDisplay display;
  private final BackgroundCalls background;
  private final InstantSource clock;

  public CallRecorder(
      Database database,
      CallRecord calls,
      UnreadSummary.UnreadSource unread,
      CallDisplay display,
      BackgroundCalls background,
      InstantSource clock) {
    this.database = database;
    this.calls = calls;
    this.unread = unread;
    this.display = display;
    this.background = background;
    this.clock = clock;
  }

  /// Runs `work` in a transaction that fails if the caller's turn has lost its lease.
  public <T> T fenced(CallRecord.RecordableCall made, Database.TransactionBody<T> work) {
    return database.transact(tx -> {
      TurnFence.require(tx, made.call().caller());
      return work.in(tx);
    });
  }

  /// Records a call and its result in a transaction of their own.
  public ResultWithUnread record(CallRecord.RecordableCall made, ToolResult result) {
    return fenced(made, tx -> record(tx, made, result));
  }

  ResultWithUnread record(Tx tx, CallRecord.RecordableCall made, ToolResult result) {
    ResultWithUnread answer = withUnread(tx, made, result);
    calls.calledAndReturned(tx, made, answer);
    return answer;
  }

  void recordFenced(Tx tx, CallRecord.RecordableCall made, ResultWithUnread answer) {
    TurnFence.require(tx, made.call().caller());
    calls.calledAndReturned(tx, made, answer);
  }

  /// Records an answer that is already known; the tool does not run.
  public ResultWithUnread recordKnown(
      CallRecord.RecordableCall made, ResultWithUnread answer, boolean isReplayed) {
    return fenced(
        made,
        tx -> {
          calls.known(tx, made, answer, isReplayed);
          return answer;
        });
  }

  void recordCall(Tx tx, CallRecord.RecordableCall made) {
    calls.called(tx, made);
  }

  /// The answer with the unread summary that the agent gets, which is recorded with it.
  ResultWithUnread withUnread(CallRecord.RecordableCall made, ToolResult result) {
    return new ResultWithUnread(result, unread.of(made.call().caller()));
  }

  private ResultWithUnread withUnread(Tx tx, CallRecord.RecordableCall made, ToolResult result) {
    return tx.including(() -> withUnread(made, result));
  }

  CallContext show(Tx tx, Tool tool, CallRecord.RecordableCall made) {
    return tool.isShown()
        ? display.open(tx, made.call(), tool, made.arguments())
        : CallContext.UNSEEN;
  }

  void close(
      Tx tx, Tool tool, CallRecord.RecordableCall made, CallContext context, ToolResult result) {
    context.close(tx, result);
    RepeatedCalls.keep(tx, made.call(), tool, clock.instant(), result);
  }

  /// Records the outcome of a call: its result, or the pending call that it becomes.
  ResultWithUnread finish(
      Tool tool,
      CallRecord.RecordableCall made,
      CallContext context,
      InlineOutcome outcome,
      WriteAheadRow row) {
    return switch (outcome) {
      case InlineOutcome.CallFinished(ToolResult result) ->
          finish(tool, made, context, result, row);
      case InlineOutcome.CallStillRunning(BackgroundCall call) ->
          background.deferring(
              call,
              () ->
                  fenced(
                      made,
                      tx -> {
                        ToolResult result = new ToolResult.Pending(background.open(tx, tool, call));
                        ResultWithUnread answer = withUnread(tx, made, result);
                        close(tx, tool, made, context, result);
                        calls.returned(tx, made, answer, row);
                        return answer;
                      }));
    };
  }

  private ResultWithUnread finish(
      Tool tool,
      CallRecord.RecordableCall made,
      CallContext context,
      ToolResult result,
      WriteAheadRow row) {
    // On SQLite the summary comes from a cache: read before the transaction, it costs the writer
    // nothing.
    ResultWithUnread early = database.hasOneWriter() ? withUnread(made, result) : null;
    try {
      return fenced(
          made,
          tx -> {
            ResultWithUnread answer = early == null ? withUnread(tx, made, result) : early;
            close(tx, tool, made, context, result);
            calls.returned(tx, made, answer, row);
            return answer;
          });
    } catch (Fault fault) {
      throw CallAttempt.executedButNotRecorded(tool, result, fault);
    }
  }
}
