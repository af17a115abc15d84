package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Records of turns, replays and forks over HTTP.
final class ReplayRoutesTest {
  private static final String PLAYBOOK =
      """
      [{"do": [{"call": "check_inbox"}, {"say": "aye, {{event.text}}"}]}]\
      """;

  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);
  private String run = "";

  @BeforeEach
  void takeATurn() {
    daemon.createAgent("mira", PLAYBOOK);
    run = runOf("mira", "captain");
  }

  @AfterEach
  void stop() throws IOException {
    daemon.close();
    place.close();
  }

  private String runOf(String agent, String text) {
    daemon.post("/api/agents/" + agent + "/messages", "{\"text\":\"%s\"}".formatted(text));
    return ended(agent).path("id").asText();
  }

  /// The agent's only run, once it is over.
  private JsonNode ended(String agent) {
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (true) {
      JsonNode newest = daemon.get("/api/runs?limit=1&agent=" + agent).body().at("/runs/0");
      if (newest.hasNonNull("endedAt")) {
        return newest;
      }
      assertThat(System.nanoTime()).as("%s takes its turn", agent).isLessThan(end);
    }
  }

  @Test
  @Requirement("N10")
  void input_configuration_and_steps_of_a_turn_can_be_read() {
    JsonNode event = daemon.get("/api/runs/" + run + "/events").body().at("/events/0");
    assertThat(event.at("/payload/text").asText()).isEqualTo("captain");
    assertThat(event.path("kind").asText()).isEqualTo("message");
    assertThat(event.hasNonNull("shownAt")).isTrue();

    assertThat(daemon.get("/api/runs/" + run + "/config").body().path("name").asText())
        .isEqualTo("mira");

    JsonNode steps = daemon.get("/api/runs/" + run + "/steps").body().path("steps");
    assertThat(steps).hasSize(2);
    assertThat(steps.at("/0/calls").asInt()).isEqualTo(1);
    assertThat(steps.at("/1/calls").asInt()).isZero();
    assertThat(daemon.get("/api/runs/" + run).body().path("attempt").asInt()).isEqualTo(1);
  }

  @Test
  @Requirement("N10")
  void a_turn_is_replayed_and_the_first_difference_is_named() {
    Answer same = daemon.post("/api/runs/" + run + "/replay", "{}");
    assertThat(same.status()).isEqualTo(200);
    assertThat(same.body().path("equal").asBoolean()).isTrue();
    assertThat(same.body().path("calls").asInt()).isEqualTo(1);

    Answer other =
        daemon.post(
            "/api/runs/" + run + "/replay",
            """
            {"provider": {"name": "scripted", "playbook":
              [{"do": [{"call": "check_inbox", "with": {"sender": "ben"}}]}]}}\
            """);
    assertThat(other.status()).isEqualTo(200);
    assertThat(other.body().path("equal").asBoolean()).isFalse();
    assertThat(other.body().at("/divergence/differences/0/pointer").asText()).isEqualTo("/sender");
    assertThat(other.body().at("/divergence/differences/0").has("recorded")).isFalse();
  }

  @Test
  @Requirement("N10")
  void a_turn_is_forked_and_the_fork_shows_where_it_comes_from() {
    Answer answer =
        daemon.post(
            "/api/runs/" + run + "/fork",
            """
            {"fromStep": 2, "name": "mira again", "provider": {"name": "scripted", "playbook":
              [{"do": [{"call": "check_inbox"}, {"say": "no, {{event.text}}"}]}]}}\
            """);

    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.body().path("handle").asText()).isEqualTo("mira-again");
    assertThat(daemon.get("/api/agents/mira-again").body().at("/forkedFrom/run").asText())
        .isEqualTo(run);
    assertThat(ended("mira-again").path("response").asText()).isEqualTo("no, captain");
  }

  @Test
  void rejected_replays_and_forks_have_a_reason() {
    assertThat(daemon.post("/api/runs/none/replay", "{}")).satisfies(is(404, "RUN_NOT_FOUND"));
    assertThat(daemon.post("/api/runs/none/fork", "{\"fromStep\":1}"))
        .satisfies(is(404, "RUN_NOT_FOUND"));
    assertThat(daemon.post("/api/runs/" + run + "/fork", "{}"))
        .satisfies(is(400, "INVALID_ARGUMENTS"));
    assertThat(daemon.post("/api/runs/" + run + "/fork", "{\"fromStep\":9}"))
        .satisfies(is(400, "INVALID_ARGUMENTS"));
    assertThat(
            daemon.post("/api/runs/" + run + "/replay", "{\"provider\":{\"name\":\"external\"}}"))
        .satisfies(is(422, "NOT_REPLAYABLE"));
    assertThat(daemon.post("/api/runs/" + run + "/replay", "{\"provider\":{\"name\":\"oracle\"}}"))
        .satisfies(is(422, "UNKNOWN_PROVIDER"));
    String token = daemon.post("/api/agents/mira/tokens", "{}").body().path("token").asText();
    try (var agent = daemon.as(token)) {
      assertThat(agent.post("/api/runs/" + run + "/replay", "{}")).satisfies(is(403, "FORBIDDEN"));
    }
  }

  private static ThrowingConsumer<Answer> is(int status, String code) {
    return answer -> {
      assertThat(answer.status()).as(String.valueOf(answer)).isEqualTo(status);
      assertThat(answer.body().path("code").asText()).isEqualTo(code);
    };
  }
}
