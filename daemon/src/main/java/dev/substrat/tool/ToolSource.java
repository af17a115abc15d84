package dev.substrat.tool;

import dev.substrat.team.Agent;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Source of tools that belong to a single agent, in addition to its toolsets.
public interface ToolSource {
  /// Tools of an agent; their names must not be in `taken`. The list is the same object until it
  /// changes.
  List<Tool> of(Agent agent, Set<String> taken);

  /// Waits briefly until the agent's tools are known, unless inside of a transaction.
  default void settle(Agent agent) {}

  /// A tool of `server` that the agent does not have; `why` continues a sentence after the server's
  /// name.
  record UnavailableTool(String server, String why) {
    public String words() {
      return "it is a tool of MCP server %s, %s".formatted(server, why);
    }
  }

  /// Why the agent does not have the tool of this name, if a server has it.
  default Optional<UnavailableTool> withheld(Agent agent, String tool) {
    return Optional.empty();
  }

  /// Servers from which the agent may get more tools later, and why it has none yet; empty if none.
  default String unavailableServers(Agent agent) {
    return "";
  }
}
