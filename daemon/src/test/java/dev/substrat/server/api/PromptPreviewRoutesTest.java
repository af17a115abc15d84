package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Preview of an agent's prompts over HTTP.
final class PromptPreviewRoutesTest {
  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  void the_operator_previews_the_prompt_of_an_agent() {
    daemon.createAgent("mira", "[]");

    var briefing = daemon.get("/api/agents/mira/briefing");

    assertThat(briefing.status()).isEqualTo(200);
    assertThat(briefing.text("agent")).isEqualTo("mira");
    assertThat(briefing.text("system"))
        .startsWith("You are mira, ")
        .contains("\n## How you work\n", "\n## Your team\n");
    assertThat(briefing.body().path("events").asInt()).isZero();
    assertThat(briefing.body().path("turn").isNull()).isTrue();
    assertThat(daemon.get("/api/agents/nobody/briefing").status()).isEqualTo(404);
  }

  @Test
  void the_preview_of_an_external_agent_has_no_turn() {
    daemon.post("/api/agents", "{\"name\":\"ide\",\"provider\":{\"name\":\"external\"}}");
    daemon.post("/api/agents/ide/messages", "{\"text\":\"hello\"}");

    var briefing = daemon.get("/api/agents/ide/briefing");

    assertThat(briefing.text("system")).contains("`check_inbox`");
    assertThat(briefing.body().path("turn").isNull()).isTrue();
  }

  @Test
  void an_agent_cannot_preview_prompts() {
    daemon.createAgent("mira", "[]");
    String token = daemon.post("/api/agents/mira/tokens", "{}").text("token");

    try (var mira = daemon.as(token)) {
      assertThat(mira.get("/api/agents/mira/briefing").status()).isEqualTo(403);
    }
  }
}
