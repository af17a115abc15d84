package dev.substrat.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Sentences made of error messages.
final class ReasonTextTest {
  @Test
  void a_sentence_is_capitalised_and_ends_with_a_full_stop() {
    assertThat(ReasonText.sentence("the chain is too long")).isEqualTo("The chain is too long.");
    assertThat(ReasonText.sentence("")).isEmpty();
  }

  @Test
  void the_first_sentence_ends_before_the_second() {
    assertThat(ReasonText.first("Asks v2.1, e.g. this\none.  Then it waits."))
        .isEqualTo("Asks v2.1, e.g. this one.");
    assertThat(ReasonText.first("no end")).isEqualTo("no end");
    assertThat(ReasonText.first("")).isEmpty();
  }

  @Test
  void a_name_before_a_colon_keeps_its_case() {
    assertThat(ReasonText.capitalised("openai: there is no key"))
        .isEqualTo("openai: there is no key");
  }
}
