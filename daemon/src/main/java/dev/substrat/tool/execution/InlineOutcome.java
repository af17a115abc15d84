package dev.substrat.tool.execution;

import dev.substrat.tool.ToolResult;

/// State of a call after its inline time: a result, or work that continues in the background.
public sealed interface InlineOutcome {
  record CallFinished(ToolResult reply) implements InlineOutcome {}

  record CallStillRunning(BackgroundCall call) implements InlineOutcome {}
}
