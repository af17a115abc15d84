package dev.substrat.search;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Several opinions on which passages are best, made one: each gives a passage the more, the
/// further up it has it (reciprocal rank fusion). So opinions need no common scale.
final class Ranking {
  /// As its inventors have it. Being first somewhere counts, but less than being good everywhere.
  private static final int EVENNESS = 60;

  private final Map<String, Double> scores = new HashMap<>();

  /// One passage in an opinion, and how much of an opinion it is: 1 is a full one.
  record Place(String id, double weight) {}

  /// Takes an opinion, the best passage first.
  void add(List<Place> opinion) {
    for (int i = 0; i < opinion.size(); i++) {
      Place place = opinion.get(i);
      scores.merge(place.id(), place.weight() / (EVENNESS + i + 1), Double::sum);
    }
  }

  double score(String id) {
    return scores.getOrDefault(id, 0.0);
  }

  /// Everything that anybody has proposed.
  Set<String> ids() {
    return Set.copyOf(scores.keySet());
  }
}
