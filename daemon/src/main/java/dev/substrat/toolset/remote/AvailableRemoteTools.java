package dev.substrat.toolset.remote;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Tx;
import dev.substrat.team.toolconfig.McpServerConfig;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Names of the remote tools that an agent may be able to call, for warnings about playbooks.
final class AvailableRemoteTools {
  private AvailableRemoteTools() {}

  /// Empty if the tools of a server are not known yet. Includes tools that are not usable at the
  /// moment: a quarantined tool may be approved.
  static Optional<Set<String>> names(
      Tx tx, @Nullable AgentId agent, List<McpServerConfig> servers) {
    var names = new HashSet<String>();
    for (McpServerConfig server : servers) {
      Optional<List<String>> tools = tools(tx, agent, server);
      if (tools.isEmpty()) {
        return Optional.empty();
      }
      tools.get().forEach(tool -> names.addAll(RemoteToolNames.possible(server.name(), tool)));
    }
    return Optional.of(names);
  }

  private static Optional<List<String>> tools(
      Tx tx, @Nullable AgentId agent, McpServerConfig server) {
    if (server.allowedTools() != null) {
      return Optional.of(server.allowedTools());
    }
    if (agent == null) {
      return Optional.empty();
    }
    return ServerTable.find(tx, agent, server.name())
        .filter(standing -> standing.state().equals("up"))
        .filter(standing -> standing.address().equals(ServerAddressResolver.fingerprint(server)))
        .map(_ ->
            PinnedToolTable.of(tx, agent, server.name()).stream().map(PinnedTool::tool).toList());
  }
}
