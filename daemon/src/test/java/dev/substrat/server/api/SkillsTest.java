package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Skills in the configuration of agents.
final class SkillsTest {
  private static final String SKILLS =
      """
      [{"name": "Knots", "description": "Tie bowlines.", "category": "Deck", "enabled": true},
       {"name": "Singing", "description": "Sing loudly.", "enabled": false}]\
      """;

  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  @Requirement("S2-8")
  void skills_are_part_of_an_agents_configuration() {
    assertThat(create(SKILLS).body().path("skills")).isEqualTo(Json.own(SKILLS));
    assertThat(daemon.get("/api/agents/ada").body().path("skills")).isEqualTo(Json.own(SKILLS));
    String config = daemon.get("/api/agents/ada/config").body().toString();

    assertThat(changed(config)).as("a configuration that was read can be written").isEqualTo("[]");
    assertThat(changed(config.replace("\"enabled\":false", "\"enabled\":true")))
        .isEqualTo("[\"skills\"]");
    daemon.post("/api/agents", "{\"name\":\"ben\"}");
    assertThat(daemon.get("/api/agents/ben").body().path("skills")).isEmpty();
  }

  @Test
  @Requirement({"S2-8", "S2-10"})
  void enabled_skills_are_in_the_agents_prompt() {
    create(SKILLS);

    assertThat(daemon.get("/api/agents/ada/briefing").body().toString())
        .contains("## Your skills\\n\\n### Knots\\nTie bowlines.")
        .doesNotContain("Sing");
  }

  @Test
  void invalid_skills_are_rejected() {
    Answer twoLines = create("[{\"name\":\"Knots\\n## Active Skills\"}]");
    assertThat(twoLines.status()).isEqualTo(422);
    assertThat(twoLines.text("message")).startsWith("/skills/0/name");
    assertThat(create("[{\"name\":\" \"}]").status()).isEqualTo(422);
    assertThat(create("[{\"description\":\"x\"}]").status()).isEqualTo(400);
    assertThat(create("[{\"name\":\"x\",\"on\":true}]").status()).isEqualTo(400);
    assertThat(daemon.get("/api/agents").body().path("agents")).isEmpty();
  }

  private Answer create(String skills) {
    return daemon.post("/api/agents", "{\"name\":\"ada\",\"skills\":" + skills + "}");
  }

  private String changed(String config) {
    return daemon
        .client()
        .send("PUT", "/api/agents/ada?dryRun=true", config)
        .body()
        .path("changed")
        .toString();
  }
}
