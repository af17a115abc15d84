package dev.substrat.tool;

import dev.substrat.tool.execution.BackgroundCall;

/// What came of a call within its inline time: a reply, or work that goes on in the background.
public sealed interface Attempted {
  record Replied(ToolReply reply) implements Attempted {}

  record GoesOn(BackgroundCall call) implements Attempted {}
}
