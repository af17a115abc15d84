package dev.substrat.engine;

import dev.substrat.gateway.Gateway;
import dev.substrat.pending.PendingCalls;
import dev.substrat.remote.RemoteServers;
import dev.substrat.space.Spaces;
import dev.substrat.tool.ToolSource;
import java.util.List;

/// Tools that are not built in, because what they do is done elsewhere: those that somebody
/// configured, and those of remote servers.
record Reach(PendingCalls pendingCalls, Gateway gateway, RemoteServers servers) {

  static Reach of(Ground ground, Spaces spaces) {
    var pendingCalls = new PendingCalls(ground.database(), ground.events(), ground.clock());
    Ground.Outside outside = ground.outside();
    var gateway =
        new Gateway(
            new Gateway.Parts(
                ground.database(),
                ground.events(),
                ground.clock(),
                pendingCalls,
                spaces,
                outside.outgoing(),
                outside.environment()),
            outside.home());
    var servers =
        new RemoteServers(
            new RemoteServers.Parts(
                ground.database(),
                ground.events(),
                ground.clock(),
                outside.servers(),
                outside.environment(),
                outside.hidden()));
    return new Reach(pendingCalls, gateway, servers);
  }

  /// What comes later cannot take a name.
  List<ToolSource> sources() {
    return List.of(gateway.tools(), servers);
  }
}
