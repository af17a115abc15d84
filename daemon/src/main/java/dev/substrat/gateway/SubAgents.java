package dev.substrat.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.team.AgentConfig;
import dev.substrat.tool.Caller;
import dev.substrat.tool.Interest;
import java.time.Duration;

/// Lets a sub-agent think about one thing, inside its caller's turn. This package knows when; the
/// engine, which has the minds, knows how.
public interface SubAgents {
  /// Refuses one that could not think; gives back what was meant.
  AgentConfig prepare(AgentConfig config);

  /// The last thing it said. Throws a fault if it failed or took too long.
  String think(Task task);

  /// Whose call it is, who shall think, about what, whether it is shown what its caller was shown,
  /// for how long at most, and whether anybody still wants it.
  record Task(
      Caller caller,
      AgentConfig config,
      ObjectNode input,
      boolean includeContext,
      Duration patience,
      Interest interest) {}
}
