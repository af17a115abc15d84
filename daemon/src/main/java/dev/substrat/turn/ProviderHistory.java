package dev.substrat.turn;

import dev.substrat.store.Database;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.TurnFence;
import dev.substrat.tool.transcript.AgentHistory;
import java.time.InstantSource;
import java.util.Optional;

/// History of an agent's earlier turns for its provider: the state that the provider stored, and
/// the records. Only the agent's current turn may add to it.
record ProviderHistory(Database database, InstantSource clock, ToolCaller caller) {

  Optional<String> kept() {
    return database.read(tx -> ProviderState.find(tx, caller.agent()));
  }

  void keep(String state) {
    database.transact(tx -> {
      TurnFence.require(tx, caller);
      ProviderState.put(tx, caller.agent(), state, clock.instant());
      return true;
    });
  }

  AgentHistory past() {
    return database.read(tx -> AgentHistory.before(tx, caller.agent().id(), caller.turn()));
  }

  void sumUp(AgentHistory.Summary summary) {
    database.transact(tx -> {
      TurnFence.require(tx, caller);
      AgentHistory.saveSummary(tx, caller.agent().id(), summary, clock.instant());
      return true;
    });
  }
}
