package dev.substrat.memory.embedding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// Immutable contiguous array of vectors.
final class VectorBlock {
  private final List<String> ids;
  private final byte[] values;
  private final float[] steps;

  private VectorBlock(List<String> ids, byte[] values, float[] steps) {
    this.ids = List.copyOf(ids);
    this.values = values;
    this.steps = steps;
  }

  /// The vector of one passage.
  record Stored(String id, Embedding embedding) {}

  /// All of the same model.
  static VectorBlock of(List<Stored> vectors) {
    int dimensions = vectors.isEmpty() ? 0 : vectors.getFirst().embedding().dimensions();
    var values = new byte[vectors.size() * dimensions];
    var steps = new float[vectors.size()];
    for (int i = 0; i < steps.length; i++) {
      Embedding embedding = vectors.get(i).embedding();
      embedding.copyTo(values, i);
      steps[i] = embedding.step();
    }
    return new VectorBlock(vectors.stream().map(Stored::id).toList(), values, steps);
  }

  VectorBlock and(VectorBlock next) {
    var all = new ArrayList<>(ids);
    all.addAll(next.ids);
    byte[] joined = Arrays.copyOf(values, values.length + next.values.length);
    System.arraycopy(next.values, 0, joined, values.length, next.values.length);
    float[] joinedSteps = Arrays.copyOf(steps, steps.length + next.steps.length);
    System.arraycopy(next.steps, 0, joinedSteps, steps.length, next.steps.length);
    return new VectorBlock(all, joined, joinedSteps);
  }

  VectorBlock without(Set<String> gone) {
    if (ids.stream().noneMatch(gone::contains)) {
      return this;
    }
    int dimensions = values.length / steps.length;
    var left = new ArrayList<String>();
    var leftValues = new byte[values.length];
    var leftSteps = new float[steps.length];
    for (int i = 0; i < steps.length; i++) {
      if (!gone.contains(ids.get(i))) {
        System.arraycopy(values, i * dimensions, leftValues, left.size() * dimensions, dimensions);
        leftSteps[left.size()] = steps[i];
        left.add(ids.get(i));
      }
    }
    return new VectorBlock(
        left,
        Arrays.copyOf(leftValues, left.size() * dimensions),
        Arrays.copyOf(leftSteps, left.size()));
  }

  int size() {
    return steps.length;
  }

  /// About what it takes, with its ids.
  long bytes() {
    return values.length + steps.length * 80L;
  }

  void offerTo(NearestPassages nearest, Embedding question, Predicate<String> admitted) {
    for (int i = 0; i < steps.length; i++) {
      double likeness = question.similarity(values, i, steps[i]);
      if (likeness >= nearest.minimum() && admitted.test(ids.get(i))) {
        nearest.offer(ids.get(i), likeness);
      }
    }
  }
}
