package dev.substrat.engine;

import dev.substrat.gateway.Gateway;
import dev.substrat.gateway.SubAgents;
import dev.substrat.pending.PendingCalls;
import dev.substrat.remote.RemoteServers;
import dev.substrat.space.Spaces;
import dev.substrat.tool.ToolSource;
import dev.substrat.workspace.Commands;
import dev.substrat.workspace.Harvest;
import java.util.List;

/// Tools that are not built in, because what they do is done elsewhere: those that somebody
/// configured, those of remote servers, and the commands that agents run.
record Reach(
    PendingCalls pendingCalls,
    Gateway gateway,
    RemoteServers servers,
    Commands commands,
    Harvest harvest) {

  static Reach of(Ground ground, Spaces spaces, SubAgents subAgents) {
    var calls = new PendingCalls(ground.database(), ground.events(), ground.clock());
    Gateway gateway = ground.gateway(calls, spaces, subAgents);
    var commands = new Commands(ground.workspaces(), ground.database(), calls, gateway.answers());
    var harvest =
        new Harvest(ground.database(), ground.events(), ground.clock(), ground.workspaces());
    return new Reach(calls, gateway, ground.remoteServers(), commands, harvest);
  }

  /// Watches remote servers until it is closed; then commands that are at work are stopped.
  Engine.AtWork start() {
    var watching = servers.start();
    return () -> {
      commands.close();
      watching.close();
    };
  }

  /// What comes later cannot take a name.
  List<ToolSource> sources() {
    return List.of(gateway.tools(), gateway.around(servers));
  }
}
