package dev.substrat.memory.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.memory.embedding.SemanticIndex.State;
import dev.substrat.testkit.Requirement;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Requirement({"N9", "S4-16"})
@Timeout(60)
final class SemanticIndexTest {

  @Test
  void the_model_is_loaded_when_something_is_asked_and_only_once() {
    var loaded = new AtomicInteger();
    try (var meanings =
        SemanticIndex.of(
            "concepts",
            () -> {
              loaded.incrementAndGet();
              return ConceptModel.quick();
            })) {
      assertThat(meanings.state()).isInstanceOf(State.NotLoaded.class);

      assertThat(meanings.encodeQuery("where is the pump?")).isPresent();
      assertThat(meanings.encodeQuery("who drinks coffee?")).isPresent();

      assertThat(meanings.state()).isInstanceOf(State.Ready.class);
      assertThat(loaded).hasValue(1);
    }
  }

  @Test
  void a_machine_that_cannot_load_it_is_asked_once_and_has_no_meanings() {
    var asked = new AtomicInteger();
    try (var meanings =
        SemanticIndex.of(
            "concepts",
            () -> {
              asked.incrementAndGet();
              throw new UnsatisfiedLinkError("no such library for this processor");
            })) {
      assertThat(meanings.encodeQuery("where is the pump?")).isEmpty();
      assertThat(meanings.encodeQuery("where is the pump?")).isEmpty();
      assertThat(meanings.encoder()).isEmpty();

      assertThat(meanings.state())
          .isEqualTo(new State.Missing("no such library for this processor"));
      assertThat(asked).hasValue(1);
    }
  }

  @Test
  void a_question_the_model_fails_at_has_no_meaning_but_the_next_one_has() {
    try (var meanings = SemanticIndex.of("concepts", ConceptModel::quick)) {
      assertThat(meanings.encodeQuery("unreadable")).isEmpty();
      assertThat(meanings.encodeQuery("coffee")).isPresent();
    }
  }

  @Test
  void switched_off_nothing_is_loaded() {
    try (var meanings = SemanticIndex.off()) {
      assertThat(meanings.encodeQuery("where is the pump?")).isEmpty();
      assertThat(meanings.state()).isEqualTo(new State.Off());
    }
  }
}
