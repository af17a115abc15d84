package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.server.Problems;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Waking, pausing and categorizing agents over HTTP.
@OnEveryDatabase
@Timeout(300)
final class AgentControlRoutesTest {
  private final TestDaemon daemon;

  AgentControlRoutesTest(TestDatabase place) {
    this.daemon = TestDaemon.on(place);
  }

  @AfterEach
  void close() {
    daemon.close();
  }

  @Test
  void a_paused_agent_takes_no_turn_until_it_is_resumed() throws InterruptedException {
    daemon.createAgent("ada", "[{\"do\":[{\"say\":\"aye\"}]}]");
    assertThat(daemon.post("/api/agents/ada/gate", "{\"gated\":true}").text("status"))
        .isEqualTo("gated");
    String id = daemon.post("/api/agents/ada/poke", "{}").text("message_id");
    assertThat(daemon.get("/api/messages/" + id).text("status")).isEqualTo("stored");

    daemon.post("/api/agents/ada/gate", "{\"gated\":false}");
    awaitRead(id);
    Problems.require(daemon.post("/api/agents/nobody/poke", "{}"), 404, "AGENT_NOT_FOUND");
    Problems.require(daemon.post("/api/agents/ada/gate", "{}"), 400, "INVALID_ARGUMENTS");
  }

  private void awaitRead(String message) throws InterruptedException {
    var bell = daemon.engine().events().signal();
    long seen = bell.count();
    while (!daemon.get("/api/messages/" + message).text("status").equals("read")) {
      bell.awaitMoreThan(seen, Duration.ofMinutes(2));
      seen = bell.count();
    }
  }

  @Test
  @Requirement({"S2-3", "S2-8"})
  void skills_and_their_categories_can_be_changed_alone() {
    daemon.post("/api/agents", "{\"name\":\"ben\",\"systemPrompt\":\"Lash it down.\"}");
    String skills =
        "{\"skills\":[{\"name\":\"Knots\",\"description\":\"Bowlines.\",\"category\":\"Deck\"}]}";
    String categories = "{\"categories\":[{\"name\":\"Deck\",\"colour\":\"sky\"}]}";

    assertThat(put("skills", skills).status()).isEqualTo(200);
    assertThat(put("categories", categories).status()).isEqualTo(200);
    assertThat(daemon.get("/api/agents/ben/skills").body().toString()).isEqualTo(skills);
    assertThat(daemon.get("/api/agents/ben/categories").body().toString()).isEqualTo(categories);
    assertThat(daemon.get("/api/agents/ben/prompt").text("prompt"))
        .contains("Lash it down.", "### Knots\nBowlines.");
    Problems.require(
        put("categories", "{\"categories\":[{\"name\":\"Deck\",\"colour\":\"beige\"}]}"),
        422,
        "INVALID_CONFIG");
  }

  private Answer put(String part, String body) {
    return daemon.client().send("PUT", "/api/agents/ben/" + part, body);
  }
}
