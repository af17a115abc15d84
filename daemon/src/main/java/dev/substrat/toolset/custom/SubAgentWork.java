package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Fault;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.toolconfig.ToolExecution;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import java.nio.charset.StandardCharsets;

/// Executes a tool by asking a sub-agent. Its answer is the result: as an object if it is JSON,
/// else as text.
record SubAgentWork(SubAgentRunner subAgents, AgentConfig config, ToolExecution execution)
    implements ToolWork {

  @Override
  public ToolResult run(ToolCall call, ObjectNode arguments) {
    String said =
        subAgents.run(
            new SubAgentRunner.Task(
                call,
                config,
                arguments,
                Boolean.TRUE.equals(execution.includeContext()),
                execution.patience()));
    return new ToolResult.Done(result(said));
  }

  private static ObjectNode result(String said) {
    try {
      if (Json.parse(said.getBytes(StandardCharsets.UTF_8)) instanceof ObjectNode object) {
        return object;
      }
    } catch (Fault e) {
      // Most of them speak in words.
      return Json.object().put("text", said);
    }
    return Json.object().put("text", said);
  }
}
