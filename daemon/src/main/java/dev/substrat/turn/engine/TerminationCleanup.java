package dev.substrat.turn.engine;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.schedule.GoalsAndPlans;
import dev.substrat.space.Spaces;
import dev.substrat.store.Tx;
import dev.substrat.team.Agents;
import dev.substrat.toolset.custom.CustomTools;
import dev.substrat.toolset.team.Reminders;
import dev.substrat.toolset.team.TurnSubscriptions;
import dev.substrat.toolset.workspace.WorkReporter;
import dev.substrat.turn.run.Runs;
import dev.substrat.turn.scheduling.RunningTurns;

/// Cleans up after a terminated agent, in the transaction that terminates it.
record TerminationCleanup(
    EngineDependencies dependencies,
    Messages messages,
    Spaces spaces,
    CustomTools gateway,
    WorkReporter workReports,
    GoalsAndPlans goalsAndPlans,
    TurnSubscriptions subscriptions,
    RunningTurns running)
    implements Agents.TerminationHook {
  private static final String REASON = "the agent was terminated";

  @Override
  public void toWhatItWas(Tx tx, AgentId agent) {
    Inbox.makeDue(tx, agent);
    messages.delivery().returnUnanswered(tx, agent);
  }

  @Override
  public void to(Tx tx, AgentId agent) {
    spaces.turns().ended(tx, agent);
    gateway.answers().ended(tx, agent);
    workReports.due(tx, agent);
    // First, so that events of plans are deleted with the rest of the inbox.
    goalsAndPlans.plans().ended(tx, agent);
    Reminders.deleteAll(tx, agent);
    messages.delivery().agentTerminated(tx, agent);
    subscriptions.ended(tx, agent);
    Runs.close(tx, dependencies.events(), agent, REASON, dependencies.clock().instant());
    tx.afterCommit(() -> running.interrupt(agent, REASON));
  }
}
