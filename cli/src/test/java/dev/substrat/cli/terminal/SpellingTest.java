package dev.substrat.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.protocol.SpellingSuggestion;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SpellingTest {
  private static final List<String> KNOWN = List.of("up", "status", "stop", "agent", "run");

  @Test
  void typos_and_prefixes_are_recognised() {
    assertThat(SpellingSuggestion.near("agnet", KNOWN)).containsExactly("agent");
    assertThat(SpellingSuggestion.near("agents", KNOWN)).containsExactly("agent");
    assertThat(SpellingSuggestion.near("st", KNOWN)).containsExactly("stop", "status");
  }

  @Test
  void weak_similarity_is_not_suggested() {
    assertThat(SpellingSuggestion.near("restart", KNOWN)).isEmpty();
    assertThat(SpellingSuggestion.near("ls", KNOWN)).isEmpty();
  }

  @Test
  void two_swapped_characters_count_as_one_typo() {
    assertThat(SpellingSuggestion.near("ulr", List.of("url"))).containsExactly("url");
    assertThat(SpellingSuggestion.near("mpc", List.of("mcp"))).containsExactly("mcp");
    assertThat(SpellingSuggestion.near("rnu", KNOWN)).containsExactly("run");
  }

  @Test
  void where_any_word_is_valid_only_typos_in_long_words_count() {
    List<String> components = List.of("confirmAction", "text");

    assertThat(SpellingSuggestion.findMisspelling("confirmActoin", components))
        .contains("confirmAction");
    assertThat(SpellingSuggestion.findMisspelling("confirmAction", components)).isEmpty();
    assertThat(SpellingSuggestion.findMisspelling("confirm", components)).isEmpty();
    assertThat(SpellingSuggestion.findMisspelling("test", components)).isEmpty();
  }
}
