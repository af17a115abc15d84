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
/// once, so the first list waits until its servers have answered, all at once.
///
/// Safe for many threads. A server is waited for once, and not if it was connected before or needs
/// a person's approval.
final class FirstConnections {
  private static final Log LOG = Log.of(FirstConnections.class);

  /// For all together. A server of the old days may leave us alone for five seconds before it is
  /// greeted as one.
  private static final Duration PATIENCE = Duration.ofSeconds(6);

  /// More servers than agents have that are at work at a time.
  private static final int MOST_KEPT = 4_000;

  private final Database database;
  private final ServerConnections links;

  /// Servers that are not waited for any more, as they are configured.
  private final Map<ServerConnections.Key, McpServerConfig> over = new ConcurrentHashMap<>();

  FirstConnections(Database database, ServerConnections links) {
    this.database = database;
    this.links = links;
  }

  /// Last known state of a server in its current configuration; an unknown server is contacted even
  /// if its program may not be started, so that people see it.
  private record Found(McpServerConfig server, String state, boolean mayBeStarted) {
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
    List<Found> found =
        database.read(tx -> open.stream().map(server -> find(tx, agent, server)).toList());
    var looks =
        found.stream()
            .filter(Found::needsLook)
            .map(one -> look(agent, one.server()))
            .toArray(CompletableFuture<?>[]::new);
    if (await(looks)) {
      settle(agent, found);
    }
  }

  private static ServerConnections.Key key(Agent agent, McpServerConfig server) {
    return new ServerConnections.Key(agent.id(), server.name());
  }

  private static Found find(Tx tx, Agent agent, McpServerConfig server) {
    String state =
        ServerTable.find(tx, agent.id(), server.name())
            .map(one -> isAt(one, server) ? one.state() : "moved")
            .orElse("new");
    boolean isProgram = server.transportOrDefault() == McpServerConfig.Transport.STDIO;
    return new Found(server, state, !isProgram || ServerRecords.isApproved(tx, server));
  }

  private static boolean isAt(ServerTable.ServerState standing, McpServerConfig server) {
    return standing.address().equals(ServerAddressResolver.fingerprint(server));
  }

  private CompletableFuture<Void> look(Agent agent, McpServerConfig server) {
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
  private static boolean await(CompletableFuture<?>... looks) {
    try {
      CompletableFuture.allOf(looks).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
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

  private void settle(Agent agent, List<Found> found) {
    if (over.size() >= MOST_KEPT) {
      over.clear();
    }
    found.stream()
        .filter(Found::isSettled)
        .forEach(one -> over.put(key(agent, one.server()), one.server()));
  }
}
