package dev.substrat.toolset.remote;

import dev.substrat.mcp.client.McpConnector;
import dev.substrat.mcp.client.ToolDefinition;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.log.Log;
import dev.substrat.store.Database;
import dev.substrat.store.ReadThroughCache;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.team.toolconfig.AllowedEnvironment;
import dev.substrat.team.toolconfig.McpServerConfig;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolSource;
import dev.substrat.tool.ToolSource.UnavailableTool;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The remote MCP servers of all agents, and the tools they provide.
///
/// An agent's tools are the approved definitions stored here, so they are available even when a
/// server is not. Servers are connected in the background, when a tool is called, and before an
/// agent's tools are listed for the first time.
///
/// Safe for many threads. In-memory state is rebuilt when its counter in the database has changed.
public final class RemoteServers implements ToolSource, AutoCloseable {
  private static final Log LOG = Log.of(RemoteServers.class);

  /// More than the number of active agents with servers.
  private static final int MAX_ENTRIES = 1_000;

  /// A person waits for it, and their client does so for half a minute.
  private static final Duration MAX_REFRESH_TIME = Duration.ofSeconds(20);

  private final RemoteServerDependencies parts;
  private final ServerRecords records;
  private final ProgramHomes homes;
  private final ServerConnections links;
  private final RemoteCallExecutor calls;
  private final FirstConnectionWaiter firstLooks;
  private final ReadThroughCache<AgentId, Long> revisions;
  private final Map<AgentId, CachedTools> views = new ConcurrentHashMap<>();

  public RemoteServers(RemoteServerDependencies parts) {
    this.parts = parts;
    this.records =
        new ServerRecords(parts.database(), parts.events(), parts.clock(), parts.policy());
    this.homes = new ProgramHomes(parts.hidden());
    var addresses = new ServerAddressResolver(parts.environment(), parts.hidden(), homes);
    var sessions = new SessionOpener(parts.connecting(), addresses, records);
    this.links = new ServerConnections(sessions, records, parts.clock());
    this.calls = new RemoteCallExecutor(links, records);
    this.firstLooks = new FirstConnectionWaiter(parts.database(), links);
    this.revisions =
        new ReadThroughCache<>(
            parts.database(), Set.of("remote_view"), MAX_ENTRIES, PinnedToolTable::revision);
  }

  /// Dependencies. `hidden` is a directory that programs must not see; `policy` decides whether
  /// tools of new servers need approval.
  public record RemoteServerDependencies(
      Database database,
      EventLog events,
      InstantSource clock,
      McpConnector connecting,
      AllowedEnvironment environment,
      Path hidden,
      NewServerPolicy policy) {}

  /// Cached tools of an agent, and the data they were built from.
  private record CachedTools(
      long revision, List<McpServerConfig> servers, Set<String> taken, List<Tool> tools) {}

  @Override
  public List<Tool> of(Agent agent, Set<String> taken) {
    List<McpServerConfig> servers = agent.config().serversOrNone();
    if (servers.isEmpty()) {
      return List.of();
    }
    long revision = revisions.get(agent.id());
    CachedTools known = views.get(agent.id());
    if (known != null
        && known.revision() == revision
        && known.servers().equals(servers)
        && known.taken().equals(taken)) {
      return known.tools();
    }
    List<Tool> tools = parts.database().read(tx -> tools(tx, agent, taken));
    if (views.size() >= MAX_ENTRIES) {
      views.clear();
    }
    // The data may be newer than its revision; then it is read again.
    views.put(agent.id(), new CachedTools(revision, servers, Set.copyOf(taken), tools));
    return tools;
  }

  private List<Tool> tools(Tx tx, Agent agent, Set<String> taken) {
    Map<String, McpServerConfig> servers =
        agent.config().serversOrNone().stream()
            .collect(Collectors.toMap(McpServerConfig::name, Function.identity()));
    Set<String> atHome =
        ServerTable.of(tx, agent.id()).stream()
            .filter(one -> isAt(one, servers.get(one.name())))
            .map(ServerTable.ServerState::name)
            .collect(Collectors.toSet());
    // Tools that were never approved do not influence the names of others.
    List<PinnedTool> pins =
        PinnedToolTable.of(tx, agent.id()).stream()
            .filter(pin -> pin.pinned() != null)
            .filter(pin -> atHome.contains(pin.server()))
            .filter(pin -> isAllowed(servers.get(pin.server()), pin.tool()))
            .toList();
    var naming = new RemoteToolNames(taken, pins);
    var tools = new ArrayList<Tool>();
    for (PinnedTool pin : pins) {
      ToolDefinition pinned = pin.pinned();
      McpServerConfig server = servers.get(pin.server());
      if (pin.isUsable() && pinned != null && server != null) {
        named(naming, pin)
            .ifPresent(name -> tools.add(new RemoteTool(name, server, pinned, calls)));
      }
    }
    return List.copyOf(tools);
  }

  /// Names of the tools of `servers`, if known: empty if a server was never connected with this
  /// configuration. `agent` is their owner, if it exists already.
  public Optional<Set<String>> offers(@Nullable AgentId agent, List<McpServerConfig> servers) {
    return servers.isEmpty()
        ? Optional.of(Set.of())
        : parts.database().read(tx -> AvailableRemoteTools.names(tx, agent, servers));
  }

  @Override
  public void settle(Agent agent) {
    firstLooks.await(agent);
  }

  @Override
  public String unavailableServers(Agent agent) {
    List<McpServerConfig> servers = agent.config().serversOrNone();
    if (servers.isEmpty()) {
      return "";
    }
    return parts
        .database()
        .read(tx ->
            servers.stream()
                .map(server -> findProblem(tx, agent, server))
                .filter(words -> !words.isEmpty())
                .collect(Collectors.joining("; ")));
  }

  @Override
  public Optional<UnavailableTool> withheld(Agent agent, String tool) {
    return agent.config().serversOrNone().isEmpty()
        ? Optional.empty()
        : parts.database().read(tx -> WithheldTool.of(tx, agent, tool));
  }

  private static String findProblem(Tx tx, Agent agent, McpServerConfig configured) {
    String server = configured.name();
    return switch (WithheldTool.state(tx, agent, configured)) {
      case "up" -> waiting(tx, agent, configured);
      case "down" ->
          "MCP server %s is down and will be retried%s"
              .formatted(
                  server,
                  ServerTable.find(tx, agent.id(), server)
                      .map(ServerTable.ServerState::problem)
                      .map(problem -> ": " + problem)
                      .orElse(""));
      case "unapproved" -> "the program of MCP server " + server + " needs a person's approval";
      default -> "the tools of MCP server " + server + " are not known yet; try again in a moment";
    };
  }

  private static String waiting(Tx tx, Agent agent, McpServerConfig server) {
    long count =
        PinnedToolTable.of(tx, agent.id(), server.name()).stream()
            .filter(pin -> pin.isListed() && pin.verdict() == PinnedTool.PinDecision.QUARANTINED)
            .filter(pin -> server.allows(pin.tool()))
            .count();
    return count == 0
        ? ""
        : "tools of MCP server %s that wait for a person's approval: %d"
            .formatted(server.name(), count);
  }

  private static boolean isAt(ServerTable.ServerState standing, @Nullable McpServerConfig server) {
    return server != null && standing.isOf(server);
  }

  private static boolean isAllowed(@Nullable McpServerConfig server, String tool) {
    return server != null && server.allows(tool);
  }

  private static Optional<String> named(RemoteToolNames naming, PinnedTool pin) {
    Optional<String> name = naming.of(pin);
    if (name.isEmpty()) {
      LOG.warn(
          "a remote tool is ignored: its name is already used",
          "server",
          pin.server(),
          "tool",
          pin.tool());
    }
    return name;
  }

  /// Connects to a server now and lists its tools, whatever its state.
  public void refresh(Agent agent, McpServerConfig server) {
    links.end(new ServerConnections.ConnectionKey(agent.id(), server.name()));
    links.session(agent, server, MAX_REFRESH_TIME);
  }

  /// State and approvals of servers, for people.
  public RemoteServerApprovals approvals() {
    return new RemoteServerApprovals(
        parts.database(),
        parts.events(),
        parts.clock(),
        parts.policy(),
        parts.connecting().sandbox()::works);
  }

  /// Checks servers in the background until it is closed; then all sessions are closed, too.
  public ToolRefresh start() {
    links.open();
    homes.deleteOthers(parts.database().read(RemoteServers::homes));
    var watching =
        new ServerMonitor(parts.database(), parts.events(), parts.clock(), links, records);
    return () -> {
      watching.close();
      links.close();
    };
  }

  /// The names of the homes that programs of living agents have.
  private static Set<String> homes(Tx tx) {
    return AgentTree.list(tx).stream()
        .filter(Agent::isAlive)
        .flatMap(agent ->
            agent.config().serversOrNone().stream()
                .map(server -> ProgramHomes.name(agent.id(), server)))
        .collect(Collectors.toSet());
  }

  /// Closed by its creator.
  public interface ToolRefresh extends AutoCloseable {
    @Override
    void close();
  }

  /// Closes idle sessions; returns their number.
  public int closeIdle() {
    return links.closeIdle();
  }

  @Override
  public void close() {
    links.close();
  }

  /// Names of the remote tools that an agent may be able to call, for warnings about playbooks.
  private static final class AvailableRemoteTools {
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

  /// The reason why an agent does not have a tool that one of its servers offers or offered.
  private static final class WithheldTool {
    private WithheldTool() {}

    /// Why the agent does not have the tool of this name; empty if no server has it.
    static Optional<UnavailableTool> of(Tx tx, Agent agent, String tool) {
      return agent.config().serversOrNone().stream()
          .flatMap(server ->
              PinnedToolTable.of(tx, agent.id(), server.name()).stream()
                  .filter(pin -> RemoteToolNames.mayMean(tool, pin))
                  .map(pin -> new UnavailableTool(server.name(), why(tx, agent, server, pin))))
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
}
