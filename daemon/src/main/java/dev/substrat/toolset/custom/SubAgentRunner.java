package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.team.AgentConfig;
import dev.substrat.tool.ToolCall;
import java.time.Duration;

/// Runs a sub-agent for one call, in a turn of its own. Implemented by the engine, which has the
/// providers and slots.
public interface SubAgentRunner {
  /// Refuses one that could not think; gives back what was meant.
  AgentConfig prepare(AgentConfig config);

  /// The last thing it said. Throws a fault if it failed or took too long.
  String run(Task task);

  /// The call, the sub-agent's configuration, what it is asked, whether it is shown what its caller
  /// was shown, and how long its turn may take.
  record Task(
      ToolCall call,
      AgentConfig config,
      ObjectNode input,
      boolean includeContext,
      Duration patience) {}
}
