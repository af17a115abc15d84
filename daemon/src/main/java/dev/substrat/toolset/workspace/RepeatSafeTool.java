package dev.substrat.toolset.workspace;

import dev.substrat.tool.DelegatingTool;
import dev.substrat.tool.Tool;

/// A tool that changes something outside the database. The result of a call is kept under its key,
/// so that a retried turn does not repeat it.
record RepeatSafeTool(Tool tool) implements DelegatingTool {
  @Override
  public boolean isOpenWorld() {
    return true;
  }

  /// A transaction may be repeated, and a file that was written is not rolled back.
  @Override
  public boolean isOneTransaction() {
    return false;
  }
}
