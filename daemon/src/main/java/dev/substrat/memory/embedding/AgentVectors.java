package dev.substrat.memory.embedding;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// Immutable snapshot of the vectors of one agent, up to sequence number `seen`. A newer snapshot
/// shares most blocks with the previous one.
record AgentVectors(long seen, List<VectorBlock> blocks) {
  static final AgentVectors EMPTY = new AgentVectors(0, List.of());

  /// Smaller blocks are merged with their neighbours: otherwise a thousand searches between a
  /// thousand inserts would create a thousand blocks.
  private static final int SMALL = 1_024;

  AgentVectors {
    blocks = List.copyOf(blocks);
  }

  AgentVectors with(VectorBlock block, long seen) {
    var all = new ArrayList<>(blocks);
    VectorBlock last = block;
    while (!all.isEmpty() && last.size() < SMALL && all.getLast().size() < SMALL) {
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

  void offerTo(NearestPassages nearest, Embedding question, Predicate<String> admitted) {
    blocks.forEach(block -> block.offerTo(nearest, question, admitted));
  }
}
