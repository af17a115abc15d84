package dev.substrat.tool;

import dev.substrat.tool.execution.BackgroundCall;

/// What came of a call within its inline time: a reply, or work that goes on in the background.
public sealed interface InlineOutcome {
  record Replied(ToolResult reply) implements InlineOutcome {}

  record GoesOn(BackgroundCall call) implements InlineOutcome {}
}
