package dev.substrat.turn;

import dev.substrat.event.EventLog;
import dev.substrat.fault.Fault;
import dev.substrat.id.AgentId;
import dev.substrat.inbox.Inbox;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.message.Delivery;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import java.time.InstantSource;

/// A person ends a turn. First in the database, where the lease's owner goes and with it the turn's
/// right to write; then the thread, so that the slot is free. What the turn was given is dead, not
/// retried: whoever cancels does not want it done again.
public final class Cancellation {
  private static final String REASON = "the turn was cancelled";

  private final Database database;
  private final EventLog events;
  private final Delivery delivery;
  private final RunningTurns running;
  private final InstantSource clock;

  public Cancellation(
      Database database,
      EventLog events,
      Delivery delivery,
      RunningTurns running,
      InstantSource clock) {
    this.database = database;
    this.events = events;
    this.delivery = delivery;
    this.running = running;
    this.clock = clock;
  }

  public void cancel(Run run) {
    var agent = new AgentId(run.agentId());
    boolean cancelled = database.transact(tx -> cancel(tx, run, agent));
    if (!cancelled) {
      throw new Fault(
          ErrorCode.CONFLICT, "run " + run.id() + " is over", "there is nothing to cancel");
    }
  }

  private boolean cancel(Tx tx, Run run, AgentId agent) {
    int ended =
        tx.update(
            """
            update run set status = 'cancelled', stop_reason = ?, ended_at = ?
            where id = ? and status = 'running'
            """,
            REASON,
            clock.instant(),
            run.id());
    if (ended == 0) {
      return false;
    }
    tx.update(
        """
        update agent set lease_owner = null
        where id = ? and turn_no = ?
        """,
        agent.value(),
        run.turn());
    for (InboxEvent event : Inbox.claimedBy(tx, agent, run.turn())) {
      Inbox.consume(tx, event, run.turn());
      delivery.bury(tx, agent, event, REASON);
    }
    delivery.breakPromises(tx, agent, REASON);
    AbandonedTurns.announceEnd(events, tx, run, "cancelled", REASON);
    tx.afterCommit(() -> running.interrupt(agent, REASON));
    return true;
  }
}
