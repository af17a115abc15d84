package dev.substrat.turn;

import dev.substrat.event.EventLog;
import dev.substrat.event.NewEvent;
import dev.substrat.id.AgentId;
import dev.substrat.message.Delivery;
import dev.substrat.store.Tx;
import dev.substrat.team.Agents;
import java.time.Instant;
import java.time.InstantSource;

/// Ends turns that will not end by themselves, and tells so in the log: every turn that has started
/// has one end, whoever writes it.
public final class AbandonedTurns implements Agents.Farewell {
  static final String DAEMON_GONE = "its daemon went away";
  static final String NOT_STORED = "its end could not be stored";
  private static final String TERMINATED = "the agent was terminated";

  private final EventLog events;
  private final Delivery delivery;
  private final RunningTurns running;
  private final InstantSource clock;

  public AbandonedTurns(
      EventLog events, Delivery delivery, RunningTurns running, InstantSource clock) {
    this.events = events;
    this.delivery = delivery;
    this.running = running;
    this.clock = clock;
  }

  /// The agent is gone, and with it its mail and its turn.
  @Override
  public void to(Tx tx, AgentId agent) {
    delivery.abandon(tx, agent);
    for (Run run : Runs.close(tx, agent, TERMINATED, true, clock.instant())) {
      // An external agent's run was open, not a turn.
      if (run.status().equals("running")) {
        announceEnd(events, tx, run, "failed", TERMINATED);
      }
    }
    tx.afterCommit(() -> running.interrupt(agent, TERMINATED));
  }

  /// A dead daemon, an outage or a lost lease left it behind; its events wait for the next turn.
  static void closeOrphans(EventLog events, Tx tx, AgentId agent, String reason, Instant now) {
    Runs.close(tx, agent, reason, false, now)
        .forEach(run -> announceEnd(events, tx, run, "failed", reason));
  }

  static void announceEnd(EventLog events, Tx tx, Run run, String status, String reason) {
    events.append(
        tx,
        NewEvent.of("turn_ended")
            .about(run.agentId())
            .during(run.id())
            .with("agent", run.agent())
            .with("turn", run.turn())
            .with("status", status)
            .with("stopReason", reason));
  }
}
