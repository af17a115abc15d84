package dev.substrat.memory.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.memory.embedding.SemanticIndex.ModelState;
import dev.substrat.testkit.Requirement;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Requirement({"N9", "S4-16"})
@Timeout(300)
final class SemanticIndexTest {

  @Test
  void the_model_is_loaded_once_with_the_first_query() {
    var loaded = new AtomicInteger();
    try (var meanings =
        SemanticIndex.of(
            "concepts",
            () -> {
              loaded.incrementAndGet();
              return FakeEmbeddingModel.quick();
            })) {
      assertThat(meanings.state()).isInstanceOf(ModelState.ModelNotLoaded.class);

      assertThat(meanings.encodeQuery("where is the pump?")).isPresent();
      assertThat(meanings.encodeQuery("who drinks coffee?")).isPresent();

      assertThat(meanings.state()).isInstanceOf(ModelState.ModelReady.class);
      assertThat(loaded).hasValue(1);
    }
  }

  @Test
  void a_model_that_cannot_be_loaded_is_tried_once_and_disables_semantic_search() {
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
          .isEqualTo(new ModelState.ModelUnavailable("no such library for this processor"));
      assertThat(asked).hasValue(1);
    }
  }

  @Test
  void a_query_that_the_model_fails_on_has_no_vector_but_the_next_one_has() {
    try (var meanings = SemanticIndex.of("concepts", FakeEmbeddingModel::quick)) {
      assertThat(meanings.encodeQuery("unreadable")).isEmpty();
      assertThat(meanings.encodeQuery("coffee")).isPresent();
    }
  }

  @Test
  void with_semantic_search_off_no_model_is_loaded() {
    try (var meanings = SemanticIndex.off()) {
      assertThat(meanings.encodeQuery("where is the pump?")).isEmpty();
      assertThat(meanings.state()).isEqualTo(new ModelState.ModelDisabled());
    }
  }
}
