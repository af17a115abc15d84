package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.team.AgentConfig;
import dev.substrat.tool.ToolCall;
import java.time.Duration;

/// Runs a sub-agent for one call, in a turn of its own. Implemented by the engine, which has the
/// providers and slots.
public interface SubAgentRunner {
  /// Validates the configuration of a sub-agent and returns it complete.
  AgentConfig prepare(AgentConfig config);

  /// Runs the sub-agent and returns its final text. Throws a fault if it fails or takes too long.
  String run(SubAgentTask task);

  /// The call, the sub-agent's configuration, its question, whether it sees the caller's context,
  /// and its time limit.
  record SubAgentTask(
      ToolCall call,
      AgentConfig config,
      ObjectNode input,
      boolean includeContext,
      Duration timeout) {}
}
