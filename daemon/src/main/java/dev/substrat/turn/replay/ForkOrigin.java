package dev.substrat.turn.replay;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Tx;
import dev.substrat.team.AgentStateTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

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

  /// Origins of those of these agents that are forks, by the agent's id.
  public static Map<String, ForkOrigin> of(Tx tx, List<String> agents) {
    return tx
        .list(
            """
            select id, forked_from_run, forked_from_step from agent
            where id in (select value from MEMBERS) and forked_from_run is not null
            """
                .replace("MEMBERS", tx.dialect().members()),
            row ->
                Map.entry(
                    row.text("id"),
                    new ForkOrigin(row.text("forked_from_run"), row.integer("forked_from_step"))),
            Json.text(agents))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  void keep(Tx tx, AgentId agent) {
    AgentStateTable.setForkOrigin(tx, agent, run, step);
  }
}
