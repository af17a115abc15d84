package dev.substrat.team;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Dialect;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Writes the columns of the table `agent` that change while agents run: lease, gate, active space,
/// loaded tools. [Agents] writes the others.
public final class AgentStateTable {
  private AgentStateTable() {}

  /// Locks the agent until the end of the transaction.
  public static void lock(Tx tx, AgentId agent) {
    tx.update("update agent set turn_no = turn_no where id = ?", agent.value());
  }

  /// The statement that acquires a lease if `condition` holds and returns the number of the new
  /// turn. A gated agent uses one permit. Its parameters: owner twice, term in milliseconds, agent,
  /// then those of the condition.
  ///
  /// It does not wait for another transaction that changes the agent: usually that is another
  /// daemon's claim.
  public static String acquireLease(Dialect dialect, String condition) {
    return """
    update agent set turn_no = turn_no + 1, lease_owner = ?, ran_on = ?, lease_until = NOW + ?,
      permits = permits - gated
    where id = (select id from agent where id = ? and CONDITION CLAIM)
    returning turn_no
    """
        .replace("NOW", dialect.now())
        .replace("CONDITION", condition)
        .replace("CLAIM", dialect.updateSuffix());
  }

  /// Renews the leases of `owner` on these agents, in one statement. Returns the turns that still
  /// have them, by agent.
  public static Map<AgentId, Long> renewLeases(
      Tx tx, Collection<AgentId> agents, String owner, Duration term) {
    return tx
        .list(
            """
            update agent set lease_until = NOW + ?
            where lease_owner = ? and id in (select value from MEMBERS)
            returning id, turn_no
            """
                .replace("NOW", tx.dialect().now())
                .replace("MEMBERS", tx.dialect().members()),
            row -> Map.entry(new AgentId(row.text("id")), row.number("turn_no")),
            term.toMillis(),
            owner,
            Json.text(agents.stream().map(AgentId::value).toList()))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /// Returns false if the lease has another owner or another turn.
  public static boolean releaseLease(Tx tx, AgentId agent, long turn, String owner) {
    return tx.update(
            """
            update agent set lease_owner = null, lease_until = null
            where id = ? and turn_no = ? and lease_owner = ?
            """,
            agent.value(),
            turn,
            owner)
        == 1;
  }

  /// Revokes the lease of a cancelled turn. It still blocks the next turn until [#unblock].
  public static void revokeLease(Tx tx, AgentId agent, long turn) {
    tx.update(
        "update agent set lease_owner = null where id = ? and turn_no = ?", agent.value(), turn);
  }

  /// Lets the next turn start after a lease was revoked.
  public static void unblock(Tx tx, AgentId agent, long turn) {
    tx.update(
        """
        update agent set lease_until = null
        where id = ? and turn_no = ? and lease_owner is null
        """,
        agent.value(),
        turn);
  }

  /// Revokes a lease that has expired. Returns false if it was renewed.
  public static boolean revokeExpiredLease(Tx tx, AgentId agent) {
    return tx.update(
            """
            update agent set lease_owner = null, lease_until = null
            where id = ? and (lease_until is null or lease_until <= NOW)
            """
                .replace("NOW", tx.dialect().now()),
            agent.value())
        == 1;
  }

  /// Revokes the expired lease of another daemon. Returns false if that daemon renewed it.
  public static boolean revokeExpiredLease(Tx tx, AgentId agent, long turn, String notOwner) {
    return tx.update(
            """
            update agent set lease_owner = null, lease_until = null, ran_on = null
            where id = ? and turn_no = ? and lease_until <= NOW and lease_owner <> ?
            """
                .replace("NOW", tx.dialect().now()),
            agent.value(),
            turn,
            notOwner)
        == 1;
  }

  /// Opens or closes the agent's gate. Returns false if nothing changed.
  public static boolean setGated(Tx tx, AgentId agent, boolean isGated) {
    return tx.update(
            """
            update agent set gated = ?, permits = 0
            where id = ? and (gated <> ? or permits <> 0)
            """,
            isGated,
            agent.value(),
            isGated)
        == 1;
  }

  /// Permits a gated agent one turn.
  public static void addPermit(Tx tx, AgentId agent) {
    tx.update("update agent set permits = permits + 1 where id = ?", agent.value());
  }

  /// Returns false if `space` was the active space already.
  public static boolean setActiveSpace(Tx tx, AgentId agent, String space) {
    return tx.update(
            """
            update agent set active_space = ?
            where id = ? and (active_space is null or active_space <> ?)
            """,
            space,
            agent.value(),
            space)
        == 1;
  }

  /// Returns false if the agent had no active space.
  public static boolean clearActiveSpace(Tx tx, AgentId agent) {
    return tx.update(
            "update agent set active_space = null where id = ? and active_space is not null",
            agent.value())
        == 1;
  }

  /// Clears the agent's active space if it is `space`.
  public static void clearActiveSpace(Tx tx, String agent, String space) {
    tx.update(
        "update agent set active_space = null where id = ? and active_space = ?", agent, space);
  }

  public static void setMetadata(Tx tx, AgentId agent, @Nullable String metadata) {
    tx.update("update agent set metadata = ? where id = ?", metadata, agent.value());
  }

  public static void setLoadedTools(Tx tx, AgentId agent, String names) {
    tx.update("update agent set loaded_tools = ? where id = ?", names, agent.value());
  }

  /// Records the run and the step that the agent was forked from.
  public static void setForkOrigin(Tx tx, AgentId agent, String run, int step) {
    tx.update(
        "update agent set forked_from_run = ?, forked_from_step = ? where id = ?",
        run,
        step,
        agent.value());
  }
}
