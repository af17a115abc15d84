package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;

/// Execution of a custom tool.
@FunctionalInterface
public interface ToolExecutor {
  ToolResult run(ToolCall call, ObjectNode arguments);
}
