package dev.substrat.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Sentences made of error messages.
final class ReasonFormatterTest {
  @Test
  void a_sentence_is_capitalised_and_ends_with_a_full_stop() {
    assertThat(ReasonFormatter.sentence("the chain is too long"))
        .isEqualTo("The chain is too long.");
    assertThat(ReasonFormatter.sentence("")).isEmpty();
  }

  @Test
  void the_sentence_after_a_suggestion_is_capitalised() {
    assertThat(
            ReasonFormatter.sentence("did you mean mira? list agents with: ./substrat agent list"))
        .isEqualTo("Did you mean mira? List agents with: ./substrat agent list.");
    assertThat(
            ReasonFormatter.sentence(
                "cannot be \"publik\"; did you mean public? it is one of: public, dm"))
        .isEqualTo("Cannot be \"publik\"; did you mean public? It is one of: public, dm.");
  }

  @Test
  void a_question_needs_no_full_stop() {
    assertThat(ReasonFormatter.sentence("did you mean mira?")).isEqualTo("Did you mean mira?");
  }

  @Test
  void the_first_sentence_ends_before_the_second() {
    assertThat(ReasonFormatter.first("Asks v2.1, e.g. this\none.  Then it waits."))
        .isEqualTo("Asks v2.1, e.g. this one.");
    assertThat(ReasonFormatter.first("no end")).isEqualTo("no end");
    assertThat(ReasonFormatter.first("")).isEmpty();
  }

  @Test
  void a_name_before_a_colon_keeps_its_case() {
    assertThat(ReasonFormatter.capitalised("openai: there is no key"))
        .isEqualTo("openai: there is no key");
  }
}
