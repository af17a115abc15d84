package dev.substrat.memory.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.substrat.testkit.Requirement;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

@Requirement("N9")
final class EmbeddingTest {
  private final Random random = new Random(7);

  @Test
  void bytes_are_nearly_as_good_as_floats() {
    for (int i = 0; i < 200; i++) {
      float[] one = direction();
      float[] other = direction();

      assertThat(Embedding.of(one).similarity(Embedding.of(other)))
          .isCloseTo(cosine(one, other), within(0.01));
    }
  }

  @Test
  void what_is_stored_is_what_is_read() {
    Embedding embedding = Embedding.of(direction());

    Embedding other = Embedding.of(direction());

    List<Embedding> one = Embedding.read(Embedding.stored(List.of(embedding)));
    List<Embedding> two = Embedding.read(Embedding.stored(List.of(embedding, other)));

    assertThat(one).hasSize(1);
    assertThat(one.getFirst().similarity(embedding)).isCloseTo(1, within(1e-6));
    assertThat(two).hasSize(2);
    assertThat(two.getFirst().similarity(embedding)).isCloseTo(1, within(1e-6));
    assertThat(two.getLast().similarity(other)).isCloseTo(1, within(1e-6));
  }

  @Test
  void nothing_is_like_nothing() {
    Embedding nothing = Embedding.of(new float[384]);

    assertThat(nothing.similarity(nothing)).isZero();
  }

  private float[] direction() {
    var values = new float[384];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  private static double cosine(float[] one, float[] other) {
    double product = 0;
    double ones = 0;
    double others = 0;
    for (int i = 0; i < one.length; i++) {
      product += one[i] * other[i];
      ones += one[i] * one[i];
      others += other[i] * other[i];
    }
    return product / Math.sqrt(ones * others);
  }
}
