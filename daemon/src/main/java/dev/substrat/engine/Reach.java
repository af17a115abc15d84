package dev.substrat.engine;

import dev.substrat.gateway.Gateway;
import dev.substrat.gateway.SubAgents;
import dev.substrat.pending.PendingCalls;
import dev.substrat.remote.RemoteServers;
import dev.substrat.space.Spaces;
import dev.substrat.tool.ToolSource;
import java.util.List;

/// Tools that are not built in, because what they do is done elsewhere: those that somebody
/// configured, and those of remote servers.
record Reach(PendingCalls pendingCalls, Gateway gateway, RemoteServers servers) {

  static Reach of(Ground ground, Spaces spaces, SubAgents subAgents) {
    var calls = new PendingCalls(ground.database(), ground.events(), ground.clock());
    return new Reach(calls, ground.gateway(calls, spaces, subAgents), ground.remoteServers());
  }

  /// What comes later cannot take a name.
  List<ToolSource> sources() {
    return List.of(gateway.tools(), servers);
  }
}
