package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Requirement("N9")
@Timeout(300)
final class SearchRoutesTest {

  @Test
  void the_bundled_model_works_when_it_is_enabled() throws IOException {
    try (var place = TestDatabase.fresh(Dialect.SQLITE);
        var daemon = TestDaemon.on(place, place.directory(), Map.of())) {
      // A machine that is busy may need more than one question's patience to load it.
      var state = daemon.get("/api/search").body();
      while (state.path("meaning").asText().equals("loading")) {
        state = daemon.get("/api/search").body();
      }

      assertThat(state.path("meaning").asText()).isEqualTo("ready");
      assertThat(state.path("model").asText()).isEqualTo("all-minilm-l6-v2-q");
    }
  }
}
