package dev.substrat.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Parts of sentences, as people read them.
final class ReasonTextTest {
  @Test
  void a_sentence_begins_large_and_ends() {
    assertThat(ReasonText.of("the chain is too long")).isEqualTo("The chain is too long.");
    assertThat(ReasonText.of("")).isEmpty();
  }

  @Test
  void the_first_of_several_ends_where_the_second_begins() {
    assertThat(ReasonText.first("Asks v2.1, e.g. this\none.  Then it waits."))
        .isEqualTo("Asks v2.1, e.g. this one.");
    assertThat(ReasonText.first("no end")).isEqualTo("no end");
    assertThat(ReasonText.first("")).isEmpty();
  }

  @Test
  void a_name_is_spelt_as_it_is() {
    assertThat(ReasonText.begin("openai: there is no key")).isEqualTo("openai: there is no key");
  }
}
