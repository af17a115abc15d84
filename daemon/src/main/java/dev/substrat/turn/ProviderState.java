package dev.substrat.turn;

import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.ProviderConfig;
import java.time.Instant;
import java.util.Optional;

/// State that a provider stores for an agent between turns, as long as the agent uses that
/// provider.
final class ProviderState {
  private ProviderState() {}

  static Optional<String> find(Tx tx, Agent agent) {
    return tx.find(
        "select state from mind where agent_id = ? and provider = ?",
        row -> row.text("state"),
        agent.id().value(),
        provider(agent));
  }

  static void put(Tx tx, Agent agent, String state, Instant now) {
    tx.update(
        """
        insert into mind (agent_id, provider, state, at) values (?, ?, ?, ?)
        on conflict (agent_id) do update set
          provider = excluded.provider, state = excluded.state, at = excluded.at
        """,
        agent.id().value(),
        provider(agent),
        state,
        now);
  }

  private static String provider(Agent agent) {
    ProviderConfig settings = agent.config().provider();
    return settings == null ? "" : settings.name();
  }
}
