package dev.substrat.memory.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@Requirement("N9")
final class WordPieceTokenizerTest {

  @Test
  void tokens_equal_those_of_the_models_reference_tokenizer() throws IOException {
    WordPieceTokenizer pieces =
        WordPieceTokenizer.of(Json.own(resource("/all-minilm-l6-v2-q-tokenizer.json")));

    List<String> lines = resource("/meaning/word-pieces.txt").lines().skip(1).toList();

    assertThat(lines).hasSizeGreaterThan(70);
    assertThat(lines)
        .allSatisfy(line -> {
          String[] parts = line.split("\t", 2);
          var whole = new ArrayList<>(List.of(WordPieceTokenizer.BEGIN));
          whole.addAll(pieces.of(parts[1], 1_000));
          whole.add(WordPieceTokenizer.END);
          assertThat(whole)
              .isEqualTo(Stream.of(parts[0].split(" ")).map(Integer::valueOf).toList());
        });
  }

  private static String resource(String name) throws IOException {
    try (var stream = WordPieceTokenizerTest.class.getResourceAsStream(name)) {
      assertThat(stream).as(name).isNotNull();
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
