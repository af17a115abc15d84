package dev.substrat.mcp.spi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// Outcome of a call, a prompt request or a resource read.
public sealed interface McpOutcome {

  /// There is the result.
  record Complete(ObjectNode result) implements McpOutcome {}

  /// The client must be asked first. `questions` are requests under names of the asker's choice;
  /// the answers and `state` are there when the same is asked again.
  record Unanswered(ObjectNode questions, @Nullable ObjectNode state) implements McpOutcome {}

  /// A long call. `task` is durable already; a client without task support gets `otherwise`.
  record Deferred(McpTask task, ObjectNode otherwise) implements McpOutcome {}
}
