package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.CelExpression;
import dev.substrat.platform.json.Json;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import java.util.Map;

/// Executes a tool that computes its result from the arguments.
record ExpressionWork(CelExpression expression) implements ToolWork {

  @Override
  public ToolResult run(ToolCall call, ObjectNode arguments) {
    JsonNode value = expression.evaluate(Map.of("input", arguments));
    return new ToolResult.Done(
        value instanceof ObjectNode object ? object : Json.object().set("value", value));
  }
}
