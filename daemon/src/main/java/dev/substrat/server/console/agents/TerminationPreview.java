package dev.substrat.server.console.agents;

import dev.substrat.server.console.DisplayNames;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import java.util.List;

/// Confirmation text of a termination: the agents that end.
public final class TerminationPreview {
  /// Maximum number of names in the dialog.
  private static final int NAMED = 5;

  private static final String BELOW =
      """
      with recursive below (id) as (
        select id from agent where parent_id = ? and terminated_at is null
        union all
        select agent.id from agent join below on agent.parent_id = below.id
        where agent.terminated_at is null
      )
      """;

  private TerminationPreview() {}

  public static String of(Tx tx, Agent agent) {
    String id = agent.id().value();
    long all = tx.number(BELOW + "select count(*) as n from below", id);
    return who(tx, agent, all)
        + " no more turns and messages, tokens revoked. This cannot be undone.";
  }

  private static String who(Tx tx, Agent agent, long all) {
    if (all == 0) {
      return "The agent will be terminated:";
    }
    List<String> named =
        tx.list(
            BELOW
                + """
                select agent.name, agent.handle from agent join below on below.id = agent.id
                order by agent.id limit ?
                """,
            row -> DisplayNames.displayName(row.text("name"), row.text("handle")),
            agent.id().value(),
            NAMED);
    return "%s and %d below it: %s%s. All of them will be terminated:"
        .formatted(
            DisplayNames.displayName(agent.name(), agent.handle()),
            all,
            String.join(", ", named),
            all > named.size() ? " and %d more".formatted(all - named.size()) : "");
  }
}
