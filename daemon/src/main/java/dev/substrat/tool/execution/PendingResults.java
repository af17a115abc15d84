package dev.substrat.tool.execution;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.store.Tx;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.pending.PendingCall;

/// Opens pending calls that the daemon executes, and delivers their results. Declared here,
/// implemented by `toolset.custom`, which knows inboxes and spaces.
public interface PendingResults {
  /// Opens a pending call for `call`.
  PendingCall open(Tx tx, ToolCall call, String tool, ObjectNode arguments);

  /// Ends the pending call with `reply`, which its agent finds in its inbox. False if the call has
  /// ended, or if `attempt` is not the current execution.
  boolean deliver(Tx tx, String id, int attempt, ToolResult reply);

  /// Ends the pending call without a result for its agent. False if it has ended.
  boolean cancel(Tx tx, PendingCall call, String reason);
}
