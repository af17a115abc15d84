package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Creating an agent that cannot run turns returns a warning.
@Timeout(300)
final class MissingProviderWarningTest {
  private TestDatabase place;
  private TestDaemon daemon;

  @BeforeEach
  void start() {
    place = TestDatabase.fresh(Dialect.SQLITE);
    daemon = TestDaemon.on(place, place.directory(), Map.of("ANTHROPIC_API_KEY", "k"));
  }

  @AfterEach
  void stop() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  void an_agent_without_a_provider_gets_a_warning() {
    assertThat(note("{\"name\":\"rita\",\"template\":\"reviewer\"}"))
        .contains("rita has no model and no playbook", "provider:");
    assertThat(
            note(
                """
                {"name":"ada","provider":{"name":"scripted","playbook":[{"do":[{"say":"hi"}]}]}}
                """))
        .isEmpty();
    assertThat(note("{\"name\":\"otto\",\"provider\":{\"name\":\"scripted\"}}"))
        .contains("otto has no model and no playbook");
    assertThat(note("{\"name\":\"ext\",\"provider\":{\"name\":\"external\"}}")).isEmpty();
  }

  @Test
  void an_agent_whose_model_has_no_key_gets_a_warning() {
    assertThat(note("{\"name\":\"ben\",\"provider\":{\"name\":\"openai\",\"model\":\"m\"}}"))
        .contains("ben cannot run turns yet", "OPENAI_API_KEY");
    assertThat(note("{\"name\":\"cai\",\"provider\":{\"name\":\"anthropic\",\"model\":\"m\"}}"))
        .isEmpty();
  }

  private String note(String agent) {
    var created = daemon.post("/api/agents", agent);
    assertThat(created.status()).as("%s", created).isEqualTo(201);
    return created.body().path("warnings").path(0).asText();
  }
}
