package dev.substrat.turn.scheduling;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.turn.run.Runs;
import dev.substrat.turn.scheduling.Leases.Lease;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Renews the leases of running turns before they expire, and revokes leases without a running
/// turn.
///
/// Such a lease is left by a daemon that died, or that lost its database before it could settle.
/// Its events are processed by another turn, on any daemon; the run that it left is closed either
/// way.
public final class LeaseRenewer {
  private final Database database;
  private final Leases leases;
  private final EventLog events;
  private final InstantSource clock;

  public LeaseRenewer(Database database, Leases leases, EventLog events, InstantSource clock) {
    this.database = database;
    this.leases = leases;
    this.events = events;
    this.clock = clock;
  }

  /// The turns that have lost their lease.
  public List<RunningTurns.RunningTurn> renew(List<RunningTurns.RunningTurn> turns) {
    if (turns.isEmpty()) {
      return List.of();
    }
    List<AgentId> agents = turns.stream().map(RunningTurns.RunningTurn::agent).toList();
    Map<AgentId, Long> kept = database.transact(tx -> leases.renew(tx, agents));
    return turns.stream()
        .filter(turn -> !Objects.equals(kept.get(turn.agent()), turn.turn()))
        .toList();
  }

  /// Releases this daemon's leases on agents without a running turn. `underWay` is read after the
  /// leases: a turn that starts in between has a lease with another number.
  public void releaseIdle(Set<AgentId> underWay, String reason) {
    List<Lease> own = database.read(leases::own);
    end(
        own.stream().filter(lease -> !underWay.contains(lease.agent())).toList(),
        reason,
        leases::release);
  }

  /// Other daemons' leases that ran out.
  public void revokeExpired() {
    end(database.read(leases::expiredOfOtherDaemons), Runs.ORPHANED, leases::revoke);
  }

  private void end(List<Lease> dead, String reason, LeaseEnder ending) {
    if (!dead.isEmpty()) {
      database.transact(tx -> {
        dead.stream()
            .filter(lease -> ending.of(tx, lease))
            .forEach(lease -> Runs.close(tx, events, lease.agent(), reason, clock.instant()));
        return true;
      });
    }
  }

  /// Ends a lease; false if it is no longer the one that was seen.
  private interface LeaseEnder {
    boolean of(Tx tx, Lease lease);
  }
}
