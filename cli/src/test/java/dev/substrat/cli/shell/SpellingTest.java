package dev.substrat.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.protocol.Spelling;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SpellingTest {
  private static final List<String> KNOWN = List.of("up", "status", "stop", "agent", "run");

  @Test
  void typos_and_prefixes_are_recognised() {
    assertThat(Spelling.near("agnet", KNOWN)).containsExactly("agent");
    assertThat(Spelling.near("agents", KNOWN)).containsExactly("agent");
    assertThat(Spelling.near("st", KNOWN)).containsExactly("stop", "status");
  }

  @Test
  void weak_similarity_is_not_suggested() {
    assertThat(Spelling.near("restart", KNOWN)).isEmpty();
    assertThat(Spelling.near("ls", KNOWN)).isEmpty();
  }

  @Test
  void two_swapped_characters_count_as_one_typo() {
    assertThat(Spelling.near("ulr", List.of("url"))).containsExactly("url");
    assertThat(Spelling.near("mpc", List.of("mcp"))).containsExactly("mcp");
    assertThat(Spelling.near("rnu", KNOWN)).containsExactly("run");
  }

  @Test
  void where_any_word_is_valid_only_typos_in_long_words_count() {
    List<String> components = List.of("confirmAction", "text");

    assertThat(Spelling.slip("confirmActoin", components)).contains("confirmAction");
    assertThat(Spelling.slip("confirmAction", components)).isEmpty();
    assertThat(Spelling.slip("confirm", components)).isEmpty();
    assertThat(Spelling.slip("test", components)).isEmpty();
  }
}
