package dev.substrat.turn;

import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Database;
import dev.substrat.turn.run.Runs;
import dev.substrat.turn.scheduling.LeaseRenewer;
import dev.substrat.turn.scheduling.Leases;
import java.util.List;
import java.util.Set;

/// The work of [TurnDispatcher], one call at a time: the test decides when to look for ready
/// agents, on which thread a turn runs, and when leases are renewed.
public final class SteppedDispatcher {
  private final Database database;
  private final TurnDependencies parts;
  private final Leases leases;
  private final LeaseRenewer keeper;
  private final TurnExecution oneTurn;

  public SteppedDispatcher(Database database, TurnDependencies parts, String owner) {
    this.database = database;
    this.parts = parts;
    this.leases = new Leases(owner, DaemonSettings.DEFAULT_LEASE, database.dialect());
    this.keeper = new LeaseRenewer(database, leases, parts.events(), parts.clock());
    this.oneTurn = new TurnExecution(database, leases, parts, _ -> {});
  }

  /// Like at the start of a daemon: leases of this owner are from before its crash.
  public void recover() {
    keeper.releaseIdle(Set.of(), Runs.ORPHANED);
  }

  public List<AgentId> ready() {
    return database.read(tx ->
        leases.ready(tx, parts.clock().instant()).stream().map(Leases.ReadyAgent::agent).toList());
  }

  /// One turn, on the calling thread.
  public void run(AgentId agent) {
    oneTurn.run(agent);
  }

  public void renew() {
    keeper
        .renew(parts.running().all())
        .forEach(turn -> parts.running().interrupt(turn, "the turn lost its lease"));
    keeper.revokeExpired();
  }
}
