package dev.substrat.toolset.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.team.toolconfig.McpServerConfig;
import dev.substrat.team.toolconfig.McpServerConfig.PathAccess;
import dev.substrat.toolset.remote.PinnedTool.PinDecision;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Lists remote servers for people, and stores their approvals and rejections.
///
/// A decision contains the hash of the definition that the person has seen, so a definition that
/// has changed meanwhile is not approved.
public final class RemoteServerApprovals {
  private final Database database;
  private final EventLog events;
  private final InstantSource clock;
  private final NewServerPolicy policy;
  private final BooleanSupplier sandboxed;

  /// `sandboxed` says whether programs run in a sandbox on this machine.
  RemoteServerApprovals(
      Database database,
      EventLog events,
      InstantSource clock,
      NewServerPolicy policy,
      BooleanSupplier sandboxed) {
    this.policy = policy;
    this.database = database;
    this.events = events;
    this.clock = clock;
    this.sandboxed = sandboxed;
  }

  /// A server of an agent: its state, exactly what would be started (for a program: environment as
  /// configured, paths and network; `access` summarises it in a sentence), and its tools. Tools
  /// excluded by the configuration are only named: they need no decision. `policy` says whether
  /// tools of a new server need approval, and why.
  public record ServerView(
      String name,
      String transport,
      String state,
      @Nullable String problem,
      @Nullable Instant seenAt,
      @Nullable List<String> command,
      @Nullable Map<String, String> env,
      @Nullable Boolean network,
      @Nullable List<PathAccess> paths,
      @Nullable String access,
      @Nullable String commandHash,
      NewServerPolicy.EffectivePolicy policy,
      List<ToolView> tools,
      List<String> otherTools) {}

  /// A tool: the approved definition and, if it differs, the offered one with its hash, why it
  /// needs a decision, and suspicious parts.
  public record ToolView(
      String name,
      String verdict,
      boolean listed,
      @Nullable JsonNode approved,
      @Nullable JsonNode offered,
      String hash,
      @Nullable String reason,
      List<DefinitionFinding> findings) {}

  /// All servers an agent is configured with, in that order. Agents that have servers, the first
  /// `limit` after agent `after` ("" for all), oldest first.
  public List<Agent> owners(String after, int limit) {
    return database.read(tx ->
        tx
            // The conditions are those of an index.
            .list(
                """
                select id from agent
                where terminated_at is null and config like '%"mcp"%' and id > ?
                order by id limit ?
                """,
                row -> row.text("id"), after, limit)
            .stream()
            .flatMap(id -> AgentTree.find(tx, id).stream())
            .toList());
  }

  public List<ServerView> servers(Agent agent) {
    return database.read(tx ->
        agent.config().serversOrNone().stream().map(one -> view(tx, agent.id(), one)).toList());
  }

  private ServerView view(Tx tx, AgentId agent, McpServerConfig server) {
    Optional<ServerTable.ServerState> standing = ServerTable.find(tx, agent, server.name());
    boolean isProgram = server.transportOrDefault() == McpServerConfig.ServerTransport.STDIO;
    String state = ServerRecords.state(tx, server, standing);
    Map<Boolean, List<PinnedTool>> isAllowed =
        PinnedToolTable.of(tx, agent, server.name()).stream()
            .collect(Collectors.partitioningBy(pin -> server.allows(pin.tool())));
    List<PinnedTool> allowed = isAllowed.getOrDefault(true, List.of());
    List<String> others =
        isAllowed.getOrDefault(false, List.of()).stream().map(PinnedTool::tool).toList();
    return new ServerView(
        server.name(),
        server.transportOrDefault().name().toLowerCase(Locale.ROOT),
        state,
        problem(tx, server, state, standing, allowed).orElse(null),
        standing.map(ServerTable.ServerState::seenAt).orElse(null),
        isProgram ? ServerAddressResolver.command(server) : null,
        isProgram ? ServerAddressResolver.env(server) : null,
        isProgram ? ServerAddressResolver.hasNetwork(server) : null,
        isProgram ? server.pathsOrNone() : null,
        isProgram ? ProgramAccess.of(server, sandboxed.getAsBoolean()).summary() : null,
        isProgram ? ServerAddressResolver.fingerprint(server) : null,
        policy.effective(tx),
        allowed.stream().map(RemoteServerApprovals::view).toList(),
        others);
  }

  /// Problems from before the approval, or of an earlier configuration, are ignored.
  private static Optional<String> problem(
      Tx tx,
      McpServerConfig server,
      String state,
      Optional<ServerTable.ServerState> standing,
      List<PinnedTool> allowed) {
    return switch (state) {
      case "new" -> Optional.empty();
      case "unapproved" -> Optional.of(ApprovedProgram.unapproved(tx, server, standing));
      default -> standing.flatMap(one -> problem(one, server, allowed));
    };
  }

  /// A running server may lack an allowed tool: a misspelt name would not be noticed otherwise.
  private static Optional<String> problem(
      ServerTable.ServerState standing, McpServerConfig server, List<PinnedTool> allowed) {
    String problem = standing.problem();
    if (problem != null || server.allowedTools() == null || standing.seenAt() == null) {
      return Optional.ofNullable(problem);
    }
    Set<String> there =
        allowed.stream()
            .filter(PinnedTool::isListed)
            .map(PinnedTool::tool)
            .collect(Collectors.toSet());
    String missing =
        server.allowedTools().stream()
            .filter(name -> !there.contains(name))
            .collect(Collectors.joining(", "));
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of("the server does not have these tools of `allowedTools`: " + missing);
  }

  private static ToolView view(PinnedTool pin) {
    boolean differs = pin.verdict() != PinDecision.APPROVED;
    return new ToolView(
        pin.tool(),
        pin.verdict().word(),
        pin.isListed(),
        pin.pinned() == null ? null : pin.pinned().json(),
        differs ? pin.offered().json() : null,
        pin.offered().hash(),
        pin.verdict() == PinDecision.QUARANTINED ? pin.reason() : null,
        differs ? DefinitionFinding.in(pin.offered()) : List.of());
  }

  /// Which tool is meant, and exactly what of it.
  public record ApprovalTarget(String server, String tool, String hash) {}

  /// A person's decision about an offered definition.
  public enum ApprovalChoice {
    /// The definition is approved.
    APPROVE,
    /// The agent does not have the tool until its server offers the approved definition again, or
    /// another one that is approved.
    REJECT
  }

  public ToolView decide(Agent agent, ApprovalTarget meant, ApprovalChoice choice, String by) {
    return database.transact(tx -> {
      PinnedTool pin =
          PinnedToolTable.find(tx, agent.id(), meant.server(), meant.tool())
              .orElseThrow(() ->
                  notFound("tool %s of MCP server %s".formatted(meant.tool(), meant.server())));
      requireSame(pin.offered().hash(), meant.hash());
      PinnedTool decided = choice == ApprovalChoice.APPROVE ? pin.approved() : pin.rejected();
      PinnedToolTable.put(tx, agent.id(), decided, by, clock.instant());
      PinnedToolTable.touch(tx, agent.id());
      events.append(
          tx,
          NewEvent.of("remote_tool_" + decided.verdict().word())
              .about(agent.id().value())
              .with("server", meant.server())
              .with("tool", meant.tool())
              .with("by", by));
      return view(decided);
    });
  }

  /// Approves a server's program, wherever it is configured exactly like this.
  public void approveCommand(Agent agent, String server, String hash, String by) {
    McpServerConfig configured =
        agent.config().serversOrNone().stream()
            .filter(one -> one.name().equals(server))
            .filter(one -> one.transportOrDefault() == McpServerConfig.ServerTransport.STDIO)
            .findFirst()
            .orElseThrow(() -> notFound("program of MCP server " + server));
    requireSame(ServerAddressResolver.fingerprint(configured), hash);
    database.transact(tx -> {
      tx.update(
          """
          insert into remote_command (hash, command, env, network, paths, approved_by, approved_at)
          values (?, ?, ?, ?, ?, ?, ?)
          on conflict (hash) do nothing
          """,
          hash,
          Json.text(ServerAddressResolver.command(configured)),
          Json.text(ServerAddressResolver.env(configured)),
          ServerAddressResolver.hasNetwork(configured) ? 1 : 0,
          Json.text(configured.pathsOrNone()),
          by,
          clock.instant());
      ServerTable.resetUnapproved(tx);
      events.append(
          tx,
          NewEvent.of("remote_command_approved")
              .about(agent.id().value())
              .with("server", server)
              .with("command", ServerAddressResolver.command(configured))
              .with("env", ServerAddressResolver.env(configured))
              .with("network", ServerAddressResolver.hasNetwork(configured))
              .with("paths", configured.pathsOrNone())
              .with("by", by));
      return true;
    });
  }

  private static Fault notFound(String what) {
    return ErrorCode.NOT_FOUND.fault(what + " not found", "list the agent's servers first");
  }

  private static void requireSame(String now, String seen) {
    if (!now.equals(seen)) {
      throw ErrorCode.CONFLICT.fault(
          "the definition has changed since you listed the servers",
          "list the servers again, then decide");
    }
  }

  /// A server program as a person approved it, for comparison with its current configuration.
  private record ApprovedProgram(
      JsonNode command, JsonNode env, boolean hasNetwork, JsonNode paths) {

    /// Description of a program that is not approved.
    static String unapproved(
        Tx tx, McpServerConfig server, Optional<ServerTable.ServerState> standing) {
      String refusal =
          standing
              .filter(one -> one.state().equals("unapproved"))
              .map(ServerTable.ServerState::problem)
              .orElse("the program is not approved yet");
      return standing
          .flatMap(one -> find(tx, one.address()))
          .map(before -> refusal + "; " + before.difference(server))
          .orElse(refusal);
    }

    /// The program that was started when the server was last connected.
    private static Optional<ApprovedProgram> find(Tx tx, String hash) {
      return tx.find(
          """
          select command, env, network, coalesce(paths, '[]') as paths from remote_command
          where hash = ? and env is not null
          """,
          ApprovedProgram::of,
          hash);
    }

    private static ApprovedProgram of(ResultRow row) {
      return new ApprovedProgram(
          Json.own(row.text("command")),
          Json.own(row.text("env")),
          row.integer("network") == 1,
          Json.own(row.text("paths")));
    }

    private String difference(McpServerConfig server) {
      var changed = new ArrayList<String>();
      if (!command.equals(Json.tree(ServerAddressResolver.command(server)))) {
        changed.add("the command was " + Json.text(command));
      }
      if (!env.equals(Json.tree(ServerAddressResolver.env(server)))) {
        changed.add("the environment was " + Json.text(env));
      }
      if (hasNetwork != ServerAddressResolver.hasNetwork(server)) {
        changed.add(hasNetwork ? "it had network access" : "it had no network access");
      }
      if (!paths.equals(Json.tree(server.pathsOrNone()))) {
        changed.add(paths.isEmpty() ? "it had no paths" : "its paths were " + Json.text(paths));
      }
      return "it was approved when " + String.join(" and ", changed);
    }
  }

  /// Access of a server's program to files and network, as a sentence for the person who approves
  /// it.
  record ProgramAccess(List<PathAccess> paths, boolean hasNetwork, boolean isSandboxed) {

    static ProgramAccess of(McpServerConfig server, boolean isSandboxed) {
      return new ProgramAccess(
          server.pathsOrNone(), ServerAddressResolver.hasNetwork(server), isSandboxed);
    }

    String summary() {
      if (!isSandboxed) {
        return "can read and write every file and reach every host that the daemon's user "
            + "can: no sandbox is available on this machine, so paths and network are "
            + "not enforced";
      }
      return "can write %s; can read %s; network: %s"
          .formatted(written(), read(), hasNetwork ? "yes" : "no");
    }

    private String written() {
      String granted = names(true);
      return granted.isEmpty() ? "nothing but its own caches" : granted;
    }

    private String read() {
      if (paths.isEmpty()) {
        return "every file that the daemon's user can read, except the daemon's data "
            + "directory and /tmp";
      }
      var all = new ArrayList<String>();
      String granted = names(false);
      if (!granted.isEmpty()) {
        all.add(granted);
      }
      all.add("system programs, its own package and the files named in its arguments");
      return String.join(", ", all);
    }

    private String names(boolean isWritable) {
      return paths.stream()
          .filter(path -> path.isWritable() == isWritable)
          .map(PathAccess::path)
          .collect(Collectors.joining(", "));
    }
  }
}
