package dev.substrat.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.console.agents.TextDiff;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Line diffs.
final class DiffTest {
  @Test
  void a_changed_line_is_removed_and_added() {
    assertThat(diff("a\nb\nc", "a\nx\nc")).isEqualTo(" a|−b|+x| c");
    assertThat(diff("", "a")).isEqualTo("+a");
    assertThat(diff("a", "a")).isEqualTo("…");
    assertThat(diff("", "")).isEmpty();
  }

  @Test
  void lines_far_from_a_change_are_left_out() {
    String many = IntStream.range(0, 20).mapToObj(i -> "l" + i).collect(Collectors.joining("\n"));
    assertThat(diff(many, many.replace("l10", "x")))
        .isEqualTo("…| l7| l8| l9|−l10|+x| l11| l12| l13|…");
  }

  @Test
  void very_long_texts_are_not_diffed() {
    assertThat(diff("a\n".repeat(4_000), "b")).startsWith("−a|").endsWith("|+b");
  }

  private static String diff(String before, String after) {
    return TextDiff.between(before, after).stream()
        .map(line -> line.sign() + line.text())
        .collect(Collectors.joining("|"));
  }
}
