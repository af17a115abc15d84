package dev.substrat.memory.embedding;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Database;
import dev.substrat.store.ResultRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Finds the nearest vectors of one agent.
///
/// Vectors are cached in memory up to a number of bytes, with least-recently-used eviction. Every
/// inserted or deleted vector has a sequence number larger than those of all earlier commits, so a
/// search reads only what is new since the last one, whichever daemon wrote it.
///
/// Safe for many threads: snapshots are immutable, and their map is guarded by this object's lock.
final class VectorSearch {
  private static final String NEWS =
      """
      select memory_id, vector, seq from passage_vector
      where agent_id = ? and model = ? and seq > ?
      order by seq
      limit ?
      """;

  private static final int PAGE = 5_000;

  private final Database database;
  private final String model;
  private final long mostBytes;
  private final LinkedHashMap<AgentId, AgentVectors> kept = new LinkedHashMap<>(16, 0.75f, true);

  VectorSearch(Database database, String model, long mostBytes) {
    this.database = database;
    this.model = model;
    this.mostBytes = mostBytes;
  }

  /// A passage without vectors was deleted.
  private record VectorChange(String id, List<Embedding> parts, long seq) {}

  /// Offers all vectors of `agent` whose ids are admitted.
  void offerTo(
      NearestPassages nearest,
      AgentId agent,
      Embedding query,
      Predicate<String> admitted,
      boolean isExact) {
    AgentVectors block = known(agent);
    boolean fits = true;
    List<VectorChange> page;
    do {
      page = changesAfter(block.seen(), agent);
      block = put(block, page);
      if (block.bytes() > mostBytes) {
        // Too many to cache: they are read page by page for every search.
        block.offerTo(nearest, query, admitted, isExact);
        block = block.emptied();
        fits = false;
      }
    } while (page.size() == PAGE);
    block.offerTo(nearest, query, admitted, isExact);
    if (fits) {
      keep(agent, block);
    }
  }

  private List<VectorChange> changesAfter(long seen, AgentId agent) {
    return database.read(
        tx -> tx.list(NEWS, VectorSearch::readChanges, agent.value(), model, seen, PAGE));
  }

  private static VectorChange readChanges(ResultRow row) {
    byte @Nullable [] vector = row.bytesOrNull("vector");
    return new VectorChange(
        row.text("memory_id"),
        vector == null ? List.of() : Embedding.read(vector),
        row.number("seq"));
  }

  private static AgentVectors put(AgentVectors block, List<VectorChange> page) {
    if (page.isEmpty()) {
      return block;
    }
    var gone = new HashSet<String>();
    var come = new ArrayList<VectorBlock.StoredVector>();
    for (VectorChange changes : page) {
      if (changes.parts().isEmpty()) {
        gone.add(changes.id());
      }
      changes.parts().forEach(part -> come.add(new VectorBlock.StoredVector(changes.id(), part)));
    }
    return block.without(gone).with(VectorBlock.of(come), page.getLast().seq());
  }

  private synchronized AgentVectors known(AgentId agent) {
    return kept.getOrDefault(agent, AgentVectors.EMPTY);
  }

  private synchronized void keep(AgentId agent, AgentVectors block) {
    kept.put(agent, block);
    long bytes = kept.values().stream().mapToLong(AgentVectors::bytes).sum();
    while (bytes > mostBytes) {
      bytes -= kept.pollFirstEntry().getValue().bytes();
    }
  }
}
