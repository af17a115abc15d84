package dev.substrat.search;

import dev.substrat.id.AgentId;
import dev.substrat.store.Tx;
import java.util.List;

/// Finds passages. Whoever stores or deletes one says so in the same transaction, so that an index
/// is never behind.
public interface PassageSearch {

  /// The best first. Reads by itself, and may think about the question before it does: never called
  /// inside a transaction.
  List<Passage> find(PassageQuery query);

  /// Called after the row of the passage is there.
  void stored(Tx tx, AgentId owner, Passage passage);

  /// Called before the row of the passage goes.
  void deleting(Tx tx, AgentId owner, String id);
}
