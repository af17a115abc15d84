package dev.substrat.turn;

import dev.substrat.budget.BudgetTable;
import dev.substrat.id.AgentId;
import dev.substrat.store.Dialect;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Who works for which agent: at most one turn per agent, on whichever daemon.
///
/// Leases are compared on the database's clock only. `turn_no` grows with every lease and fences
/// the writes of the turn that holds it.
final class Leases {
  /// Long enough for a pause of the whole machine, short enough that a dead daemon's agents are
  /// soon at work again.
  static final Duration TERM = Duration.ofSeconds(30);

  private final String owner;
  private final String ready;
  private final String take;
  private final String renew;

  /// Whether an agent has something due that may wake it, and may be woken: soft mail does not wake
  /// who waits for a reply, held mail wakes nobody, a child waits until the turn that made it is
  /// over, and without a budget nobody goes on.
  private static final String WAKES =
      """
        agent.terminated_at is null
        and agent.provider <> 'external'
        and (agent.gated = 0 or agent.permits > 0)
        and (agent.lease_until is null or agent.lease_until <= NOW)
        and MAY_GO_ON
        and (agent.born_in_turn is null or not exists (
          select 1 from agent parent
          where parent.id = agent.parent_id
            and parent.turn_no = agent.born_in_turn
            and parent.lease_until > NOW
        ))
        and exists (
          select 1 from inbox_event
          where inbox_event.agent_id = agent.id
            and inbox_event.not_before <= ?
            and inbox_event.held = 0
            and (inbox_event.soft = 0 or not exists (
              select 1 from pending_reply
              where pending_reply.asker = agent.id and pending_reply.kind = 'question'
            ))
        )
      """
          .replace("MAY_GO_ON", BudgetTable.MAY_GO_ON);

  private static final String OLDEST_FIRST =
      """
      order by (
        select min(inbox_event.id) from inbox_event where inbox_event.agent_id = agent.id
      )
      """;

  Leases(String owner, Dialect dialect) {
    this.owner = owner;
    String now = dialect.now();
    this.ready =
        ("select id, team_id, provider from agent where id in (select agent_id from inbox_event) and "
                + WAKES
                + OLDEST_FIRST)
            .replace("NOW", now);
    this.take =
        ("""
        update agent set turn_no = turn_no + 1, lease_owner = ?, lease_until = NOW + ?
        where id = ? and
        """
                + WAKES
                + " returning turn_no")
            .replace("NOW", now);
    this.renew =
        """
        update agent set lease_until = NOW + ?
        where id = ? and lease_owner = ? and turn_no = ?
        """
            .replace("NOW", now);
  }

  String owner() {
    return owner;
  }

  /// Somebody to wake, and where it belongs.
  record Ready(AgentId agent, Slots.Seat seat) {}

  /// Agents that have something due at `now` and nobody at work; whose mail has waited longest
  /// comes first.
  List<Ready> ready(Tx tx, Instant now) {
    return tx.list(
        ready,
        row ->
            new Ready(
                new AgentId(row.text("id")),
                new Slots.Seat(row.text("team_id"), row.text("provider"))),
        now);
  }

  /// The number of the new turn, unless somebody else was faster or there is nothing to wake for
  /// any more.
  Optional<Long> take(Tx tx, AgentId agent, Instant now) {
    Optional<Long> turn =
        tx.find(take, row -> row.number("turn_no"), owner, TERM.toMillis(), agent.value(), now);
    if (turn.isPresent()) {
      tx.update("update agent set permits = permits - 1 where id = ? and gated = 1", agent.value());
    }
    return turn;
  }

  /// After a person took the lease away: the thread is done, so the next turn need not wait.
  void clear(Tx tx, AgentId agent, long turn) {
    tx.update(
        """
        update agent set lease_until = null
        where id = ? and turn_no = ? and lease_owner is null
        """,
        agent.value(),
        turn);
  }

  /// Takes the right to write from a turn whose time is over; anyone might take the lease by now.
  /// False if it was renewed.
  static boolean revokeExpired(Tx tx, AgentId agent) {
    return tx.update(
            "update agent set lease_owner = null where id = ? and (lease_until is null or lease_until <= "
                + tx.dialect().now()
                + ")",
            agent.value())
        == 1;
  }

  void giveBack(Tx tx, AgentId agent) {
    tx.update(
        "update agent set lease_owner = null, lease_until = null where id = ? and lease_owner = ?",
        agent.value(),
        owner);
  }

  /// False if the lease is somebody else's by now.
  boolean renew(Tx tx, AgentId agent, long turn) {
    return tx.update(renew, TERM.toMillis(), agent.value(), owner, turn) == 1;
  }

  /// Whom this daemon works for.
  List<AgentId> held(Tx tx) {
    return tx.list(
        "select id from agent where lease_owner = ? order by id",
        row -> new AgentId(row.text("id")),
        owner);
  }

  void giveAllBack(Tx tx) {
    tx.update(
        "update agent set lease_owner = null, lease_until = null where lease_owner = ?", owner);
  }
}
