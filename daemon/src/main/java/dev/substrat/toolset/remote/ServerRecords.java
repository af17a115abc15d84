package dev.substrat.toolset.remote;

import dev.substrat.mcp.client.ToolDefinition;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.process.ExecutableLookup;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.ReadThroughCache;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.toolconfig.McpServerConfig;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Stored state of servers: their last known state, and whether their program is approved.
final class ServerRecords {
  /// More than the number of tools in use.
  private static final int MAX_ENTRIES = 4_000;

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;
  private final DefinitionPinning pinning;
  private final ReadThroughCache<OfferedTool, Optional<PinnedTool>> pins;

  ServerRecords(Database database, EventLog events, InstantSource clock, NewServerPolicy policy) {
    this.database = database;
    this.events = events;
    this.clock = clock;
    this.pinning = new DefinitionPinning(database, events, clock, policy);
    this.pins =
        new ReadThroughCache<>(
            database,
            Set.of("remote_tool"),
            MAX_ENTRIES,
            (tx, offer) -> PinnedToolTable.find(tx, offer.agent(), offer.server(), offer.tool()));
  }

  /// A tool as one agent is offered it.
  private record OfferedTool(AgentId agent, String server, String tool) {}

  /// Claims the check of a server for this daemon; false if another daemon has just checked it.
  boolean claim(Agent agent, McpServerConfig server) {
    return database.transact(tx ->
        ServerTable.claim(
            tx,
            agent.id(),
            server.name(),
            ServerAddressResolver.fingerprint(server),
            clock.instant()));
  }

  boolean isUp(Agent agent, McpServerConfig server) {
    return database
        .read(tx -> ServerTable.find(tx, agent.id(), server.name()))
        .filter(one -> one.state().equals("up"))
        .isPresent();
  }

  void seen(Agent agent, McpServerConfig server, List<ToolDefinition> offered) {
    pinning.apply(agent, server, offered);
  }

  /// A program is started only after a person has seen exactly how.
  void requireApproved(Agent agent, McpServerConfig server) {
    if (!database.read(tx -> mayStart(tx, server))) {
      throw ErrorCode.FORBIDDEN.fault(
          "the program of MCP server %s is not approved%s"
              .formatted(
                  server.name(),
                  isInstalled(server)
                      ? ""
                      : ", and the program is not installed: " + server.command()),
          "a person must approve the program; until then, work without the tools of this server");
    }
  }

  /// Shown to the person who approves it. A program in its own paths is checked later.
  private static boolean isInstalled(McpServerConfig server) {
    return ServerAddressResolver.env(server).containsKey("PATH")
        || ExecutableLookup.ofDaemon().find(String.valueOf(server.command())).isPresent();
  }

  static boolean isApproved(Tx tx, McpServerConfig server) {
    return tx.find(
            "select 1 from remote_command where hash = ?",
            _ -> true,
            ServerAddressResolver.fingerprint(server))
        .isPresent();
  }

  /// A refusal may be recorded after the approval. Then it is ignored, and the server is tried
  /// again immediately.
  void refused(Agent agent, McpServerConfig server, Fault fault) {
    database.transact(tx -> {
      boolean mayStart = mayStart(tx, server);
      if (mayStart && fault.code() == ErrorCode.FORBIDDEN) {
        ServerTable.reset(tx, agent.id(), server.name());
      } else {
        failed(tx, agent, server, mayStart ? "down" : "unapproved", fault.message());
      }
      return true;
    });
  }

  void failed(Agent agent, McpServerConfig server, String problem) {
    database.transact(tx -> {
      failed(tx, agent, server, mayStart(tx, server) ? "down" : "unapproved", problem);
      return true;
    });
  }

  /// Current state of a server. A state recorded before the approval, or for another address, does
  /// not count.
  static String state(Tx tx, McpServerConfig server, Optional<ServerTable.ServerState> standing) {
    if (!mayStart(tx, server)) {
      return "unapproved";
    }
    return standing
        .filter(one -> !one.state().equals("up") || one.isOf(server))
        .map(ServerTable.ServerState::state)
        .filter(state -> !state.equals("unapproved"))
        .orElse("new");
  }

  private static boolean mayStart(Tx tx, McpServerConfig server) {
    return server.transportOrDefault() != McpServerConfig.ServerTransport.STDIO
        || isApproved(tx, server);
  }

  private void failed(Tx tx, Agent agent, McpServerConfig server, String state, String problem) {
    ServerTable.claim(
        tx, agent.id(), server.name(), ServerAddressResolver.fingerprint(server), clock.instant());
    if (ServerTable.failed(tx, agent.id(), server.name(), state, problem)) {
      events.append(
          tx,
          NewEvent.of("remote_server_" + state)
              .about(agent.id().value())
              .with("server", server.name())
              .with("reason", problem));
    }
  }

  /// Rejects a tool whose definition is not approved, or not any more.
  void requirePinned(Agent agent, McpServerConfig server, ToolDefinition definition) {
    boolean isPinned =
        pins.get(new OfferedTool(agent.id(), server.name(), definition.name()))
            .filter(pin -> pin.isUsable() && pin.isPinned(definition))
            .isPresent();
    if (!isPinned) {
      throw ErrorCode.FORBIDDEN.fault(
          "MCP server %s changed the definition of tool %s after it was approved"
              .formatted(server.name(), definition.name()),
          "a person must approve the change; until then, work without this tool");
    }
  }
}
