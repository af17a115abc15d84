package dev.substrat.turn;

import dev.substrat.store.Database;
import dev.substrat.tool.Caller;
import dev.substrat.tool.Fence;
import dev.substrat.tool.transcript.Past;
import java.time.InstantSource;
import java.util.Optional;

/// What a mind has of its agent's earlier turns: what its provider kept for itself, and what is on
/// record. Only the agent's current turn may add to it.
record Recall(Database database, InstantSource clock, Caller caller) {

  Optional<String> kept() {
    return database.read(tx -> Kept.find(tx, caller.agent()));
  }

  void keep(String state) {
    database.transact(tx -> {
      Fence.require(tx, caller);
      Kept.put(tx, caller.agent(), state, clock.instant());
      return true;
    });
  }

  Past past() {
    return database.read(tx -> Past.before(tx, caller.agent().id(), caller.turn()));
  }

  void sumUp(Past.Summary summary) {
    database.transact(tx -> {
      Fence.require(tx, caller);
      Past.sumUp(tx, caller.agent().id(), summary, clock.instant());
      return true;
    });
  }
}
