package dev.substrat.memory.search;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Tx;
import java.util.List;

/// Keyword search among passages. Code that stores or deletes a passage calls it in the same
/// transaction, so the index always matches the passages.
public interface PassageSearch {

  /// Best first. Reads the database itself and may run the model before: do not call it inside a
  /// transaction.
  List<PassageHit> find(PassageQuery query);

  /// Called after the row of the passage is inserted.
  void stored(Tx tx, AgentId owner, Passage passage);

  /// Called before the row of the passage is deleted.
  void deleting(Tx tx, AgentId owner, String id);
}
