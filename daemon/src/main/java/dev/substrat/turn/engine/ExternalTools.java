package dev.substrat.turn.engine;

import dev.substrat.space.Spaces;
import dev.substrat.tool.ToolSource;
import dev.substrat.tool.execution.BackgroundCalls;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.toolset.custom.CustomTools;
import dev.substrat.toolset.remote.RemoteServers;
import dev.substrat.toolset.workspace.WorkReports;
import dev.substrat.turn.scheduling.Slots;
import java.time.Duration;
import java.util.List;

/// Tools that are not built in: custom tools and tools of remote MCP servers.
record ExternalTools(
    SubAgentTurns minds,
    PendingCalls pendingCalls,
    CustomTools gateway,
    RemoteServers servers,
    WorkReports harvest) {

  static ExternalTools of(EngineDependencies ground, Spaces spaces, SubAgentTurns minds) {
    var calls = new PendingCalls(ground.database(), ground.events(), ground.clock());
    CustomTools gateway = ground.gateway(calls, spaces, minds);
    var harvest =
        new WorkReports(ground.database(), ground.events(), ground.clock(), ground.workspaces());
    return new ExternalTools(minds, calls, gateway, ground.remoteServers(), harvest);
  }

  /// Watches remote servers and executes calls in the name of `owner`, until it is closed.
  Engine.AtWork start(Slots slots, BackgroundCalls calls, String owner, Duration lease) {
    minds.useSlots(slots);
    calls.start(owner, lease);
    var watching = servers.start();
    return () -> {
      calls.close();
      watching.close();
    };
  }

  /// What comes later cannot take a name.
  List<ToolSource> sources() {
    return List.of(gateway.tools(), gateway.withMiddleware(servers));
  }
}
