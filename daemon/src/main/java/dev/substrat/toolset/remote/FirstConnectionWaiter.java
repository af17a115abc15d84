package dev.substrat.toolset.remote;

import dev.substrat.platform.log.Log;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.toolconfig.McpServerConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Connects to new servers and waits briefly for their tools. Most clients list an agent's tools
/// once, so the first list waits until its servers have answered. They are connected in parallel.
///
/// Safe for many threads. A server is waited for once, and not if it was connected before or needs
/// a person's approval.
final class FirstConnectionWaiter {
  private static final Log LOG = Log.of(FirstConnectionWaiter.class);

  /// For all servers together. A legacy server may need five seconds before the negotiation falls
  /// back to its era.
  private static final Duration TIMEOUT = Duration.ofSeconds(6);

  /// More than the number of servers of active agents.
  private static final int MAX_ENTRIES = 4_000;

  private final Database database;
  private final ServerConnections links;

  /// Servers that are not waited for any more, as they are configured.
  private final Map<ServerConnections.ConnectionKey, McpServerConfig> over =
      new ConcurrentHashMap<>();

  FirstConnectionWaiter(Database database, ServerConnections links) {
    this.database = database;
    this.links = links;
  }

  /// Last known state of a server in its current configuration; an unknown server is contacted even
  /// if its program may not be started, so that people see it.
  private record KnownServerState(McpServerConfig server, String state, boolean mayBeStarted) {
    boolean wasSeen() {
      return state.equals("up") || state.equals("down");
    }

    boolean needsLook() {
      return !wasSeen() && (mayBeStarted || state.equals("new"));
    }

    boolean isSettled() {
      return wasSeen() || mayBeStarted;
    }
  }

  void await(Agent agent) {
    List<McpServerConfig> open =
        agent.config().serversOrNone().stream()
            .filter(server -> !server.equals(over.get(key(agent, server))))
            .toList();
    // Never waits inside a transaction.
    if (open.isEmpty() || Tx.isInTransaction()) {
      return;
    }
    List<KnownServerState> found =
        database.read(tx -> open.stream().map(server -> find(tx, agent, server)).toList());
    var connections =
        found.stream()
            .filter(KnownServerState::needsLook)
            .map(one -> connect(agent, one.server()))
            .toArray(CompletableFuture<?>[]::new);
    if (await(connections)) {
      settle(agent, found);
    }
  }

  private static ServerConnections.ConnectionKey key(Agent agent, McpServerConfig server) {
    return new ServerConnections.ConnectionKey(agent.id(), server.name());
  }

  private static KnownServerState find(Tx tx, Agent agent, McpServerConfig server) {
    String state =
        ServerTable.find(tx, agent.id(), server.name())
            .map(one -> isAt(one, server) ? one.state() : "moved")
            .orElse("new");
    boolean isProgram = server.transportOrDefault() == McpServerConfig.ServerTransport.STDIO;
    return new KnownServerState(server, state, !isProgram || ServerRecords.isApproved(tx, server));
  }

  private static boolean isAt(ServerTable.ServerState standing, McpServerConfig server) {
    return standing.address().equals(ServerAddressResolver.fingerprint(server));
  }

  private CompletableFuture<Void> connect(Agent agent, McpServerConfig server) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            links.session(agent, server, ServerMonitor.patience(server));
          } catch (Fault fault) {
            // The failure is recorded, and a missing tool is reported to the caller.
            LOG.debug(
                "the first connection to an MCP server failed",
                "server",
                server.name(),
                "reason",
                fault.message());
          }
        },
        task -> Thread.ofVirtual().name("connect to " + server.name()).start(task));
  }

  /// False if the waiting thread was interrupted. Slower servers are added later.
  private static boolean await(CompletableFuture<?>... connections) {
    try {
      CompletableFuture.allOf(connections).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.info("an MCP server is slow to list its tools");
    } catch (ExecutionException e) {
      LOG.error("cannot connect to an MCP server", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return true;
  }

  private void settle(Agent agent, List<KnownServerState> found) {
    if (over.size() >= MAX_ENTRIES) {
      over.clear();
    }
    found.stream()
        .filter(KnownServerState::isSettled)
        .forEach(one -> over.put(key(agent, one.server()), one.server()));
  }
}
