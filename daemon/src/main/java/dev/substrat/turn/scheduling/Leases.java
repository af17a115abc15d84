package dev.substrat.turn.scheduling;

import dev.substrat.access.budget.BudgetTable;
import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Dialect;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.team.AgentStateTable;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Leases of agents: at most one turn per agent, on any daemon.
///
/// Leases are compared on the database's clock only. `turn_no` grows with every lease and fences
/// the writes of the turn that holds it.
public final class Leases {
  /// More would only wait for slots; the next poll finds the others.
  private static final int AT_ONCE = 1_000;

  private final String owner;
  private final Duration term;
  private final String ready;
  private final String acquire;
  private final String expiredOfOtherDaemons;

  /// Whether an agent has a due event that may wake it: soft events do not wake an agent that waits
  /// for a reply, held events and events read by a client wake no agent, a child waits until the
  /// turn that spawned it has ended, and an agent without budget is not woken.
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
            and (inbox_event.turn_no is null or inbox_event.turn_no >= 0)
            and (inbox_event.soft = 0 or inbox_event.soft_until <= ? or not YIELDS)
        )
      """
          .replace("MAY_GO_ON", BudgetTable.HAS_BUDGET)
          .replace("YIELDS", Inbox.WAITS_FOR_REPLY);

  /// All agents with events, each found by one index step: an agent may have thousands of unread
  /// events.
  private static final String ADDRESSEES =
      """
      with recursive addressee (id) as (
        select min(agent_id) from inbox_event
        union all
        select (select min(next.agent_id) from inbox_event next where next.agent_id > addressee.id)
        from addressee where addressee.id is not null
      )
      """;

  /// The daemon of a lease that ran out is dead or out of reach.
  private static final String READY =
      """
      select id, team_id, provider, turn_no,
        case when lease_owner is null then ran_on end as ran_on,
        (select min(waiting.id) from inbox_event waiting where waiting.agent_id = agent.id) as oldest
      from agent
      where id in (select id from addressee)
      """;

  private static final String OLDEST_FIRST = "order by oldest limit ?";

  public Leases(String owner, Duration term, Dialect dialect) {
    this.owner = owner;
    this.term = term;
    String now = dialect.now();
    this.ready = (ADDRESSEES + READY + "and" + WAKES + OLDEST_FIRST).replace("NOW", now);
    this.acquire = AgentStateTable.acquireLease(dialect, WAKES.replace("NOW", now));
    this.expiredOfOtherDaemons =
        "select id, turn_no from agent where lease_until <= NOW and lease_owner <> ?"
            .replace("NOW", now);
  }

  /// Lease of an agent for one turn.
  public record Lease(AgentId agent, long turn) {}

  public String owner() {
    return owner;
  }

  public Duration term() {
    return term;
  }

  /// An agent to wake, where it belongs, and its oldest waiting event. `turn` is the number of its
  /// last turn, and `ranOn` the daemon that ran it, unless that daemon lost its lease.
  public record ReadyAgent(
      AgentId agent, Slots.HeldSlot slot, String oldest, long turn, @Nullable String ranOn) {}

  /// Agents with due events and no running turn, longest wait first.
  public List<ReadyAgent> ready(Tx tx, Instant now) {
    return tx.list(
        ready,
        row ->
            new ReadyAgent(
                new AgentId(row.text("id")),
                new Slots.HeldSlot(row.text("team_id"), row.text("provider")),
                row.text("oldest"),
                row.number("turn_no"),
                row.textOrNull("ran_on")),
        now,
        now,
        now,
        AT_ONCE);
  }

  /// Acquires a lease and returns the number of the new turn; empty if another daemon was faster,
  /// no event is due any more, or another transaction is changing the agent.
  public Optional<Long> acquire(Tx tx, AgentId agent, Instant now) {
    return tx.find(
        acquire,
        row -> row.number("turn_no"),
        owner,
        owner,
        term.toMillis(),
        agent.value(),
        now,
        now,
        now);
  }

  /// After a person took the lease away: the thread is done, so the next turn need not wait.
  public void clear(Tx tx, AgentId agent, long turn) {
    AgentStateTable.unblock(tx, agent, turn);
  }

  /// Revokes the lease of a turn whose time is over. False if it was renewed.
  public static boolean revokeExpired(Tx tx, AgentId agent) {
    return AgentStateTable.revokeExpiredLease(tx, agent);
  }

  /// False if the lease does not belong to this daemon any more; then it stays unchanged.
  public boolean release(Tx tx, Lease lease) {
    return AgentStateTable.releaseLease(tx, lease.agent(), lease.turn(), owner);
  }

  /// Renews this daemon's leases on `agents`; returns the turns that still have them.
  Map<AgentId, Long> renew(Tx tx, Collection<AgentId> agents) {
    return AgentStateTable.renewLeases(tx, agents, owner, term);
  }

  /// Leases of this daemon, also from before a crash.
  public List<Lease> own(Tx tx) {
    return tx.list("select id, turn_no from agent where lease_owner = ?", Leases::lease, owner);
  }

  /// Expired leases of other daemons.
  List<Lease> expiredOfOtherDaemons(Tx tx) {
    return tx.list(expiredOfOtherDaemons, Leases::lease, owner);
  }

  /// Revokes an expired lease; false if its owner has renewed it meanwhile.
  boolean revoke(Tx tx, Lease lease) {
    return AgentStateTable.revokeExpiredLease(tx, lease.agent(), lease.turn(), owner);
  }

  private static Lease lease(ResultRow row) {
    return new Lease(new AgentId(row.text("id")), row.number("turn_no"));
  }
}
