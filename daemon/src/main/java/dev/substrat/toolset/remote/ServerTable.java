package dev.substrat.toolset.remote;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.team.toolconfig.McpServerConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The table of servers: address and last known state.
final class ServerTable {
  /// Another daemon that looks at the same time would see the same.
  private static final Duration CLAIM = Duration.ofSeconds(5);

  private ServerTable() {}

  /// How a server is.
  record ServerState(
      String name,
      String address,
      String state,
      @Nullable String problem,
      Instant triedAt,
      @Nullable Instant seenAt) {

    /// A state recorded for another address does not count.
    boolean isOf(McpServerConfig server) {
      return address.equals(ServerAddressResolver.fingerprint(server));
    }
  }

  static List<ServerState> of(Tx tx, AgentId agent) {
    return tx.list(
        """
        select name, address, state, problem, tried_at, seen_at from remote_server
        where agent_id = ?
        order by name
        """,
        ServerTable::standing,
        agent.value());
  }

  static Optional<ServerState> find(Tx tx, AgentId agent, String server) {
    return of(tx, agent).stream().filter(one -> one.name().equals(server)).findFirst();
  }

  private static ServerState standing(ResultRow row) {
    return new ServerState(
        row.text("name"),
        row.text("address"),
        row.text("state"),
        row.textOrNull("problem"),
        row.instant("tried_at"),
        row.instantOrNull("seen_at"));
  }

  /// Claims the check of a server; false if another daemon has just done it.
  static boolean claim(Tx tx, AgentId agent, String server, String address, Instant now) {
    return tx.update(
            """
            insert into remote_server (agent_id, name, address, state, tried_at)
            values (?, ?, ?, 'new', ?)
            on conflict (agent_id, name) do update set tried_at = excluded.tried_at
            where remote_server.tried_at <= ? or remote_server.address <> excluded.address
            """,
            agent.value(),
            server,
            address,
            now,
            now.minus(CLAIM))
        == 1;
  }

  static void seen(Tx tx, AgentId agent, String server, String address, Instant now) {
    tx.update(
        """
        insert into remote_server (agent_id, name, address, state, tried_at, seen_at)
        values (?, ?, ?, 'up', ?, ?)
        on conflict (agent_id, name) do update set
          address = excluded.address, state = 'up', problem = null,
          tried_at = excluded.tried_at, seen_at = excluded.seen_at
        """,
        agent.value(),
        server,
        address,
        now,
        now);
  }

  /// Programs may be approved by now: they are checked at once.
  static void resetUnapproved(Tx tx) {
    tx.update("update remote_server set tried_at = 0 where state = 'unapproved'");
  }

  /// The same for one of them.
  static void reset(Tx tx, AgentId agent, String server) {
    tx.update(
        "update remote_server set tried_at = 0 where agent_id = ? and name = ? and state <> 'up'",
        agent.value(),
        server);
  }

  /// True if it was not so before.
  static boolean failed(Tx tx, AgentId agent, String server, String state, String problem) {
    return tx.update(
            """
            update remote_server set state = ?, problem = ?
            where agent_id = ? and name = ? and (state <> ? or problem <> ? or problem is null)
            """,
            state,
            problem,
            agent.value(),
            server,
            state,
            problem)
        == 1;
  }
}
