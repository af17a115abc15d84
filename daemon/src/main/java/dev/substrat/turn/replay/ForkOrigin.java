package dev.substrat.turn.replay;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Tx;
import dev.substrat.team.AgentState;
import java.util.Optional;

/// Origin of a fork: a run, and the first step that the fork executes itself.
public record ForkOrigin(String run, int step) {

  /// Empty for an agent that is not a fork.
  public static Optional<ForkOrigin> of(Tx tx, AgentId agent) {
    return tx.find(
        """
        select forked_from_run, forked_from_step from agent
        where id = ? and forked_from_run is not null
        """,
        row -> new ForkOrigin(row.text("forked_from_run"), row.integer("forked_from_step")),
        agent.value());
  }

  void keep(Tx tx, AgentId agent) {
    AgentState.setForkOrigin(tx, agent, run, step);
  }
}
