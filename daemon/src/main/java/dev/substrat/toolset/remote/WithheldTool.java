package dev.substrat.toolset.remote;

import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.toolconfig.McpServerConfig;
import dev.substrat.tool.ToolSource.Withheld;
import java.util.Optional;

/// The reason why an agent does not have a tool that one of its servers offers or offered.
final class WithheldTool {
  private WithheldTool() {}

  /// Why the agent does not have the tool of this name; empty if no server has it.
  static Optional<Withheld> of(Tx tx, Agent agent, String tool) {
    return agent.config().serversOrNone().stream()
        .flatMap(server ->
            PinnedToolTable.of(tx, agent.id(), server.name()).stream()
                .filter(pin -> RemoteToolNames.mayMean(tool, pin))
                .map(pin -> new Withheld(server.name(), why(tx, agent, server, pin))))
        .filter(one -> !one.why().isEmpty())
        .findFirst();
  }

  static String state(Tx tx, Agent agent, McpServerConfig server) {
    return ServerRecords.state(tx, server, ServerTable.find(tx, agent.id(), server.name()));
  }

  private static String why(Tx tx, Agent agent, McpServerConfig server, PinnedTool pin) {
    String state = state(tx, agent, server);
    if (!server.allows(pin.tool())) {
      return "whose allowedTools excludes it";
    }
    if (state.equals("unapproved")) {
      return "whose program needs a person's approval";
    }
    if (state.equals("new")) {
      return "which has not been connected since its configuration changed";
    }
    if (!pin.isListed()) {
      return "which no longer offers it";
    }
    return switch (pin.verdict()) {
      case APPROVED -> "";
      case QUARANTINED -> "and needs a person's approval";
      case REJECTED -> "and was rejected by a person";
    };
  }
}
