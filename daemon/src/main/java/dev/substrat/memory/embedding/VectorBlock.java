package dev.substrat.memory.embedding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// Immutable contiguous array of vectors.
///
/// A large block is searched in two passes: the first compares the signs of all vectors with those
/// of the query, 64 dimensions in one instruction; the second computes the similarity of the
/// vectors whose signs differ least.
final class VectorBlock {
  /// Smaller blocks are compared in one pass.
  static final int LARGE = 4_096;

  /// The share of a large block that reaches the second pass. The nearest passages of the labelled
  /// set are far inside it.
  private static final int SHARE = 16;

  private final List<String> ids;
  private final byte[] values;
  private final float[] steps;
  private final long[] signs;

  private VectorBlock(List<String> ids, byte[] values, float[] steps) {
    this.ids = List.copyOf(ids);
    this.values = values;
    this.steps = steps;
    this.signs = steps.length < LARGE ? new long[0] : signs(values, values.length / steps.length);
  }

  /// One bit for each dimension, in whole words for each vector.
  private static long[] signs(byte[] values, int dimensions) {
    int words = words(dimensions);
    var signs = new long[values.length / dimensions * words];
    for (int i = 0; i < values.length; i++) {
      int dimension = i % dimensions;
      if (values[i] < 0) {
        signs[i / dimensions * words + dimension / Long.SIZE] |= 1L << dimension;
      }
    }
    return signs;
  }

  private static int words(int dimensions) {
    return (dimensions + Long.SIZE - 1) / Long.SIZE;
  }

  /// The vector of one passage.
  record StoredVector(String id, Embedding embedding) {}

  /// All of the same model.
  static VectorBlock of(List<StoredVector> vectors) {
    int dimensions = vectors.isEmpty() ? 0 : vectors.getFirst().embedding().dimensions();
    var values = new byte[vectors.size() * dimensions];
    var steps = new float[vectors.size()];
    for (int i = 0; i < steps.length; i++) {
      Embedding embedding = vectors.get(i).embedding();
      embedding.copyTo(values, i);
      steps[i] = embedding.step();
    }
    return new VectorBlock(vectors.stream().map(StoredVector::id).toList(), values, steps);
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

  /// Approximate size in memory, with its ids.
  long bytes() {
    return values.length + signs.length * 8L + steps.length * 80L;
  }

  /// Offers the vectors whose ids are admitted. With `isExact`, compares all of them: few may be
  /// admitted, and then the nearest of those are not the nearest of all.
  void offerTo(
      NearestPassages nearest, Embedding query, Predicate<String> admitted, boolean isExact) {
    if (isExact || signs.length == 0) {
      for (int i = 0; i < steps.length; i++) {
        offer(i, nearest, query, admitted);
      }
      return;
    }
    short[] distances = distances(query);
    int farthest = farthest(distances, query.dimensions());
    for (int i = 0; i < steps.length; i++) {
      if (distances[i] <= farthest) {
        offer(i, nearest, query, admitted);
      }
    }
  }

  private void offer(
      int index, NearestPassages nearest, Embedding query, Predicate<String> admitted) {
    double likeness = query.similarity(values, index, steps[index]);
    if (likeness >= nearest.minimum() && admitted.test(ids.get(index))) {
      nearest.offer(ids.get(index), likeness);
    }
  }

  /// In how many signs each vector differs from the query.
  private short[] distances(Embedding query) {
    var one = new byte[query.dimensions()];
    query.copyTo(one, 0);
    long[] wanted = signs(one, one.length);
    var distances = new short[steps.length];
    for (int i = 0; i < distances.length; i++) {
      int differing = 0;
      for (int word = 0; word < wanted.length; word++) {
        differing += Long.bitCount(signs[i * wanted.length + word] ^ wanted[word]);
      }
      distances[i] = (short) differing;
    }
    return distances;
  }

  /// The distance up to which vectors are compared.
  private static int farthest(short[] distances, int dimensions) {
    var counts = new int[dimensions + 1];
    for (short distance : distances) {
      counts[distance]++;
    }
    int farthest = 0;
    int compared = counts[0];
    while (compared < distances.length / SHARE) {
      compared += counts[++farthest];
    }
    return farthest;
  }
}
