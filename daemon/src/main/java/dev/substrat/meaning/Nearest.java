package dev.substrat.meaning;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/// Keeps the few passages that are most like a question, out of very many.
final class Nearest {
  private record Candidate(String id, double likeness) {}

  /// Ids break ties, or the order would depend on the order of looking.
  private static final Comparator<Candidate> WORST_FIRST =
      Comparator.comparingDouble(Candidate::likeness).thenComparing(Candidate::id);

  private final int most;
  private final double floor;
  private final PriorityQueue<Candidate> kept = new PriorityQueue<>(WORST_FIRST);

  /// At most `most`, none less alike than `floor`.
  Nearest(int most, double floor) {
    this.most = most;
    this.floor = floor;
  }

  /// What is less alike than this is not kept.
  double least() {
    return kept.size() < most || kept.isEmpty() ? floor : kept.element().likeness();
  }

  void take(String id, double likeness) {
    kept.add(new Candidate(id, likeness));
    if (kept.size() > most) {
      kept.remove();
    }
  }

  /// The most alike first.
  List<String> ids() {
    return kept.stream().sorted(WORST_FIRST.reversed()).map(Candidate::id).toList();
  }
}
