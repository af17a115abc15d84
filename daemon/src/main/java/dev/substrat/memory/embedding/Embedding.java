package dev.substrat.memory.embedding;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Embedding vector of a text, quantised to one byte per dimension.
///
/// Quantisation hardly changes the order of near neighbours, and a passage needs a quarter of the
/// space of floats: on disk, in memory and in the processor's cache.
public final class Embedding {
  private static final int STEPS = 127;

  private final byte[] values;

  /// What one step of a value is worth, so that the whole has the length 1.
  private final float step;

  private Embedding(byte[] values, float step) {
    this.values = values;
    this.step = step;
  }

  /// The direction of `raw`, whatever its length.
  public static Embedding of(float[] raw) {
    float largest = 0;
    for (float value : raw) {
      largest = Math.max(largest, Math.abs(value));
    }
    var values = new byte[raw.length];
    long squares = 0;
    for (int i = 0; i < raw.length; i++) {
      values[i] = (byte) (largest == 0 ? 0 : Math.round(raw[i] / largest * STEPS));
      squares += values[i] * values[i];
    }
    return new Embedding(values, squares == 0 ? 0 : (float) (1 / Math.sqrt((double) squares)));
  }

  /// The vectors of one passage, from the form in which they are stored.
  static List<Embedding> read(byte[] stored) {
    var buffer = ByteBuffer.wrap(stored);
    // Several begin with their number below zero; one begins with its step, which is above.
    int parts = Math.max(1, -buffer.getInt(0));
    if (parts > 1) {
      buffer.getInt();
    }
    int length = buffer.remaining() / parts - Float.BYTES;
    var embeddings = new ArrayList<Embedding>();
    for (int i = 0; i < parts; i++) {
      float step = buffer.getFloat();
      var values = new byte[length];
      buffer.get(values);
      embeddings.add(new Embedding(values, step));
    }
    return embeddings;
  }

  static byte[] stored(List<Embedding> parts) {
    int length = Float.BYTES + parts.getFirst().values.length;
    var buffer = ByteBuffer.allocate(parts.size() * length + (parts.size() > 1 ? 4 : 0));
    if (parts.size() > 1) {
      buffer.putInt(-parts.size());
    }
    parts.forEach(part -> buffer.putFloat(part.step).put(part.values));
    return buffer.array();
  }

  int dimensions() {
    return values.length;
  }

  /// How much alike two texts are: 1 is the same, 0 has nothing to do with it.
  public double similarity(Embedding other) {
    return (double) product(values, other.values, 0) * step * other.step;
  }

  /// Of two that stand among others in a [VectorBlock].
  double similarity(byte[] others, int index, float otherStep) {
    return (double) product(values, others, index * values.length) * step * otherStep;
  }

  void copyTo(byte[] target, int index) {
    System.arraycopy(values, 0, target, index * values.length, values.length);
  }

  float step() {
    return step;
  }

  /// As plain as it is because the compiler turns exactly this into vector instructions.
  private static int product(byte[] mine, byte[] others, int from) {
    int sum = 0;
    for (int i = 0; i < mine.length; i++) {
      sum += mine[i] * others[from + i];
    }
    return sum;
  }
}
