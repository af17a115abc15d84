package dev.substrat.memory.embedding;

import dev.substrat.memory.embedding.PassageVectors.Neighbour;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/// Bounded heap of the passages that are most similar to a query.
final class NearestPassages {
  /// Ids break ties, or the order would depend on the order of looking.
  private static final Comparator<Neighbour> WORST_FIRST =
      Comparator.comparingDouble(Neighbour::likeness).thenComparing(Neighbour::id);

  private final int most;
  private final double floor;
  private final PriorityQueue<Neighbour> kept = new PriorityQueue<>(WORST_FIRST);

  /// At most `most`, none less alike than `floor`.
  NearestPassages(int most, double floor) {
    this.most = most;
    this.floor = floor;
  }

  /// What is less alike than this is not kept.
  double minimum() {
    return kept.size() < most || kept.isEmpty() ? floor : kept.element().likeness();
  }

  /// A passage with several vectors counts with the one that is most alike.
  void offer(String id, double likeness) {
    Neighbour other = kept.stream().filter(known -> known.id().equals(id)).findFirst().orElse(null);
    if (other != null && other.likeness() >= likeness) {
      return;
    }
    if (other != null) {
      kept.remove(other);
    }
    kept.add(new Neighbour(id, likeness));
    if (kept.size() > most) {
      kept.remove();
    }
  }

  /// The most alike first.
  List<Neighbour> found() {
    return kept.stream().sorted(WORST_FIRST.reversed()).toList();
  }
}
