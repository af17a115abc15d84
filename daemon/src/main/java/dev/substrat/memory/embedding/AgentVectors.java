package dev.substrat.memory.embedding;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// Immutable snapshot of the vectors of one agent, up to sequence number `seen`. A newer snapshot
/// shares most blocks with the previous one.
record AgentVectors(long seen, List<VectorBlock> blocks) {
  static final AgentVectors EMPTY = new AgentVectors(0, List.of());

  AgentVectors {
    blocks = List.copyOf(blocks);
  }

  AgentVectors with(VectorBlock block, long seen) {
    var all = new ArrayList<>(blocks);
    VectorBlock last = block;
    // Each block is at least twice as large as the next, so there are few, and a vector is copied
    // only a few times.
    while (!all.isEmpty() && all.getLast().size() < 2 * last.size()) {
      last = all.removeLast().and(last);
    }
    all.add(last);
    return new AgentVectors(seen, all);
  }

  AgentVectors without(Set<String> gone) {
    return gone.isEmpty()
        ? this
        : new AgentVectors(seen, blocks.stream().map(block -> block.without(gone)).toList());
  }

  /// Keeps the sequence number without the vectors, to free memory.
  AgentVectors emptied() {
    return new AgentVectors(seen, List.of());
  }

  long bytes() {
    return blocks.stream().mapToLong(VectorBlock::bytes).sum();
  }

  void offerTo(
      NearestPassages nearest, Embedding query, Predicate<String> admitted, boolean isExact) {
    blocks.forEach(block -> block.offerTo(nearest, query, admitted, isExact));
  }
}
