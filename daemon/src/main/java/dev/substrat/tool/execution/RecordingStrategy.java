package dev.substrat.tool.execution;

import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolPipeline.ResultWithUnread;

/// When a tool call is written to the record, relative to its execution and its answer.
///
/// Each strategy states its guarantee in its first sentence. [CallExecutor] chooses one per call.
sealed interface RecordingStrategy
    permits OneTransactionStrategy, RecordBeforeStrategy, QueuedRowStrategy, RecordAfterStrategy {

  /// Executes and records a call whose arguments are valid.
  ResultWithUnread execute(Tool tool, CallRecord.RecordableCall made);
}
