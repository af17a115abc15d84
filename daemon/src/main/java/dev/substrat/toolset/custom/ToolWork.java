package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;

/// What a configured tool does when it is called.
@FunctionalInterface
public interface ToolWork {
  ToolResult run(ToolCall call, ObjectNode arguments);
}
