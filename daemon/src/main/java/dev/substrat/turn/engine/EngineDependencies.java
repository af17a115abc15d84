package dev.substrat.turn.engine;

import dev.substrat.http.address.AllowedHosts;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.mcp.client.McpConnector;
import dev.substrat.memory.search.HybridSearch;
import dev.substrat.platform.config.SpaceGuardLimits;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.space.Spaces;
import dev.substrat.store.Database;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.toolconfig.AllowedEnvironment;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.toolset.custom.CustomTools;
import dev.substrat.toolset.custom.SubAgentRunner;
import dev.substrat.toolset.remote.NewServerPolicy;
import dev.substrat.toolset.remote.RemoteServers;
import dev.substrat.toolset.workspace.Workspaces;
import dev.substrat.turn.TurnSleep;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/// Dependencies of an engine; the creator of these parts closes them.
public record EngineDependencies(
    Database database,
    EventLog events,
    Telemetry telemetry,
    InstantSource clock,
    TurnSleep pace,
    SpaceGuardLimits guards,
    HybridSearch search,
    ExternalServices outside) {

  /// Connections to the outside: HTTP client, allowed environment, public URL, the directory that
  /// child processes must not see, and whether tools of new remote servers need approval.
  public record ExternalServices(
      GuardedHttpClient outgoing,
      McpConnector servers,
      AllowedEnvironment environment,
      Supplier<String> home,
      Path hidden,
      NewServerPolicy newServers) {
    /// With the policy of a daemon that only its operator uses.
    public ExternalServices(
        GuardedHttpClient outgoing,
        McpConnector servers,
        AllowedEnvironment environment,
        Supplier<String> home,
        Path hidden) {
      this(outgoing, servers, environment, home, hidden, NewServerPolicy.DEFAULT);
    }

    /// Public addresses only, and no environment. Agents work in a temporary directory, created on
    /// first use.
    public static ExternalServices guarded(Telemetry telemetry) {
      var outgoing = new GuardedHttpClient(AllowedHosts.NONE, telemetry, "dev");
      return new ExternalServices(
          outgoing,
          new McpConnector(outgoing, "dev"),
          AllowedEnvironment.allowing(Set.of()),
          () -> "http://127.0.0.1",
          Path.of(System.getProperty("java.io.tmpdir"), "substrat-" + UUID.randomUUID()));
    }
  }

  /// With default guards and keyword search only.
  public EngineDependencies(
      Database database,
      EventLog events,
      Telemetry telemetry,
      InstantSource clock,
      TurnSleep pace) {
    this(
        database,
        events,
        telemetry,
        clock,
        pace,
        SpaceGuardLimits.DEFAULT,
        HybridSearch.ofWords(database),
        ExternalServices.guarded(telemetry));
  }

  /// Workspaces of agents.
  public Workspaces workspaces() {
    return new Workspaces(database, outside.servers().sandbox(), clock, outside.hidden());
  }

  /// The gateway on this ground.
  CustomTools gateway(PendingCalls calls, Spaces spaces, SubAgentRunner subAgents) {
    return new CustomTools(
        new CustomTools.CustomToolDependencies(
            database,
            events,
            clock,
            calls,
            spaces,
            outside.outgoing(),
            outside.environment(),
            subAgents),
        outside.home());
  }

  /// The remote servers of agents on this ground.
  RemoteServers remoteServers() {
    return new RemoteServers(
        new RemoteServers.RemoteServerDependencies(
            database,
            events,
            clock,
            outside.servers(),
            outside.environment(),
            outside.hidden(),
            outside.newServers()));
  }
}
