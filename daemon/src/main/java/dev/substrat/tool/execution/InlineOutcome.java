package dev.substrat.tool.execution;

import dev.substrat.tool.ToolResult;

/// What came of a call within its inline time: a reply, or work that goes on in the background.
public sealed interface InlineOutcome {
  record Finished(ToolResult reply) implements InlineOutcome {}

  record StillRunning(BackgroundCall call) implements InlineOutcome {}
}
