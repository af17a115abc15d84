package dev.substrat.mcp.spi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// Outcome of a call, a prompt request or a resource read.
public sealed interface McpOutcome {

  /// A result.
  record CompleteResult(ObjectNode result) implements McpOutcome {}

  /// The client must answer first. `questions` are requests under names that the tool chooses; the
  /// repeated request contains the answers and `state`.
  record InputRequired(ObjectNode questions, @Nullable ObjectNode state) implements McpOutcome {}

  /// A long call. `task` is durable already; a client without task support gets `otherwise`.
  record TaskStarted(McpTask task, ObjectNode otherwise) implements McpOutcome {}
}
