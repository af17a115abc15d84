package dev.substrat.memory.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.memory.embedding.PassageVectors.SimilarPassage;
import dev.substrat.testkit.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@Requirement("N9")
final class VectorBlockTest {
  private static final int MANY = 20_000;
  private static final int QUERIES = 100;
  private static final int NEAREST = 5;

  private final Random random = new Random(11);
  private final List<float[]> topics = IntStream.range(0, 200).mapToObj(_ -> direction()).toList();

  @Test
  void two_passes_find_what_an_exact_search_finds() {
    AgentVectors vectors = stored(MANY);
    assertThat(vectors.blocks()).first().extracting(VectorBlock::size).isEqualTo(MANY);

    int found = 0;
    for (int i = 0; i < QUERIES; i++) {
      Embedding query = near(topics.get(i));
      List<String> exact = nearest(vectors, query, true);
      assertThat(exact).hasSize(NEAREST);
      List<String> quick = nearest(vectors, query, false);
      found += (int) exact.stream().filter(quick::contains).count();
    }

    assertThat(found).isGreaterThanOrEqualTo(QUERIES * NEAREST * 99 / 100);
  }

  @Test
  void an_exact_search_finds_the_nearest_of_the_few_that_are_admitted() {
    AgentVectors vectors = stored(MANY);
    Embedding query = near(topics.getFirst());
    var nearest = new NearestPassages(NEAREST, -1);

    vectors.offerTo(nearest, query, "passage 777"::equals, true);

    assertThat(nearest.found()).extracting(SimilarPassage::id).containsExactly("passage 777");
  }

  @Test
  void vectors_that_arrive_one_by_one_are_merged_into_few_blocks() {
    AgentVectors vectors = AgentVectors.EMPTY;
    for (int i = 0; i < 1_000; i++) {
      vectors = vectors.with(VectorBlock.of(List.of(passage(i))), i);
    }

    assertThat(vectors.blocks()).hasSizeLessThanOrEqualTo(10);
    assertThat(vectors.blocks().stream().mapToInt(VectorBlock::size).sum()).isEqualTo(1_000);
  }

  private AgentVectors stored(int count) {
    var passages = new ArrayList<VectorBlock.StoredVector>();
    for (int i = 0; i < count; i++) {
      passages.add(passage(i));
    }
    return AgentVectors.EMPTY.with(VectorBlock.of(passages), count);
  }

  private VectorBlock.StoredVector passage(int number) {
    return new VectorBlock.StoredVector(
        "passage " + number, near(topics.get(random.nextInt(topics.size()))));
  }

  private static List<String> nearest(AgentVectors vectors, Embedding query, boolean isExact) {
    var nearest = new NearestPassages(NEAREST, PassageVectors.MIN_SIMILARITY);
    vectors.offerTo(nearest, query, _ -> true, isExact);
    return nearest.found().stream().map(SimilarPassage::id).toList();
  }

  /// About as similar to its topic as two sentences about the same thing.
  private Embedding near(float[] topic) {
    float[] noise = direction();
    for (int i = 0; i < noise.length; i++) {
      noise[i] = topic[i] + 0.8f * noise[i];
    }
    return Embedding.of(noise);
  }

  private float[] direction() {
    var values = new float[384];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }
}
