package dev.substrat.memory.embedding;

import dev.substrat.memory.embedding.PassageVectors.SimilarPassage;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/// Bounded heap of the passages that are most similar to a query.
final class NearestPassages {
  /// Ids break ties, so that the result does not depend on the order of the search.
  private static final Comparator<SimilarPassage> WORST_FIRST =
      Comparator.comparingDouble(SimilarPassage::likeness).thenComparing(SimilarPassage::id);

  private final int most;
  private final double floor;
  private final PriorityQueue<SimilarPassage> kept = new PriorityQueue<>(WORST_FIRST);

  /// At most `most` passages, none with a similarity below `floor`.
  NearestPassages(int most, double floor) {
    this.most = most;
    this.floor = floor;
  }

  /// Passages with a lower similarity are not kept.
  double minimum() {
    return kept.size() < most || kept.isEmpty() ? floor : kept.element().likeness();
  }

  /// A passage with several vectors counts with the most similar one.
  void offer(String id, double likeness) {
    SimilarPassage other =
        kept.stream().filter(known -> known.id().equals(id)).findFirst().orElse(null);
    if (other != null && other.likeness() >= likeness) {
      return;
    }
    if (other != null) {
      kept.remove(other);
    }
    kept.add(new SimilarPassage(id, likeness));
    if (kept.size() > most) {
      kept.remove();
    }
  }

  /// Most similar first.
  List<SimilarPassage> found() {
    return kept.stream().sorted(WORST_FIRST.reversed()).toList();
  }
}
