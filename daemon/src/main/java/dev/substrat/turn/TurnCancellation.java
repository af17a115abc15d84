package dev.substrat.turn;

import dev.substrat.access.budget.BudgetLedger;
import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.messaging.message.TurnDelivery;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.space.SpaceTurns;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentStateTable;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.transcript.RunAccess;
import dev.substrat.tool.transcript.RunTable;
import dev.substrat.toolset.team.TurnSubscriptions;
import dev.substrat.turn.run.Run;
import dev.substrat.turn.scheduling.RunningTurns;
import java.time.InstantSource;
import java.util.List;

/// Cancels a running turn for a person. First the lease loses its owner in the database, and the
/// turn its right to write; then the thread is interrupted, so that the slot is free. The events of
/// a cancelled turn are dead, not retried.
public final class TurnCancellation {
  private static final String REASON = "the turn was cancelled";

  private final Database database;
  private final EventLog events;
  private final TurnDelivery delivery;
  private final TurnSubscriptions subscriptions;
  private final SpaceTurns spaces;
  private final RunningTurns running;
  private final InstantSource clock;

  public TurnCancellation(
      Database database,
      EventLog events,
      TurnDelivery delivery,
      TurnSubscriptions subscriptions,
      SpaceTurns spaces,
      RunningTurns running,
      InstantSource clock) {
    this.database = database;
    this.events = events;
    this.delivery = delivery;
    this.subscriptions = subscriptions;
    this.spaces = spaces;
    this.running = running;
    this.clock = clock;
  }

  public void cancel(Principal who, Run run) {
    RunAccess.requireChanging(who);
    var agent = new AgentId(run.agentId());
    boolean cancelled = database.transact(tx -> cancel(tx, run, agent));
    if (!cancelled) {
      throw ErrorCode.CONFLICT.fault(
          "run " + run.id() + " has ended", "there is nothing to cancel");
    }
  }

  private boolean cancel(Tx tx, Run run, AgentId agent) {
    if (!end(tx, run, agent)) {
      return false;
    }
    List<InboxEvent> given = Inbox.claimedBy(tx, agent, run.turn());
    spaces.lockSpaces(tx, agent, given);
    BudgetLedger.abandon(tx, agent, clock.instant());
    for (InboxEvent event : given) {
      Inbox.consume(tx, event, run.turn());
      delivery.markDead(tx, agent, event, REASON);
    }
    delivery.giveUp(tx, agent, RunInputEvents.chain(tx, new RunId(run.id())).subject(), REASON);
    spaces.turnEnded(tx, agent);
    events.append(
        tx,
        NewEvent.of("turn_ended")
            .about(agent.value())
            .during(run.id())
            .with("agent", run.agent())
            .with("turn", run.turn())
            .with("status", "cancelled")
            .with("stopReason", REASON));
    AgentTree.find(tx, agent.value())
        .ifPresent(
            one -> subscriptions.turnEnded(tx, ended(tx, run, one, given), "cancelled", null));
    tx.afterCommit(() -> running.interrupt(agent, run.turn(), REASON));
    return true;
  }

  private static TurnSubscriptions.EndedTurn ended(
      Tx tx, Run run, Agent agent, List<InboxEvent> given) {
    return new TurnSubscriptions.EndedTurn(
        agent, RunInputEvents.chain(tx, new RunId(run.id())), given);
  }

  /// The run is over and the lease has no owner; false if the turn had ended by itself.
  private boolean end(Tx tx, Run run, AgentId agent) {
    boolean isEnded = RunTable.cancel(tx, run.id(), REASON, clock.instant());
    if (isEnded) {
      AgentStateTable.revokeLease(tx, agent, run.turn());
    }
    return isEnded;
  }
}
