package dev.substrat.memory;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;

/// Finds the agent whose memory is read or changed. The memory of terminated agents stays readable
/// for people.
final class MemoryOwnerLookup {
  private MemoryOwnerLookup() {}

  /// An existing or terminated agent.
  static AgentId requireAny(Tx tx, String idOrHandle) {
    return AgentTree.find(tx, idOrHandle)
        .map(Agent::id)
        .orElseGet(() -> AgentTree.require(tx, idOrHandle).id());
  }

  /// An agent that is not terminated, with the error text of the zoo.
  static Agent requireLiving(Tx tx, String idOrHandle) {
    return AgentTree.find(tx, idOrHandle)
        .filter(Agent::isAlive)
        .orElseThrow(() ->
            ErrorCode.AGENT_NOT_FOUND.fault(
                "Agent with ID '%s' not found.".formatted(idOrHandle),
                "list agents with agent_zoo_list_agents or GET /api/agents"));
  }
}
