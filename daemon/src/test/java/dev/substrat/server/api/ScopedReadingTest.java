package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.http.server.Problems;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A token with scopes reads nothing through another route that its scopes do not allow.
@OnEveryDatabase
@Timeout(300)
@Requirement("N7")
final class ScopedReadingTest {
  private static final String MAIL = "the-text-of-a-message";
  private static final String FINAL = "the-final-text-of-a-turn";

  private final SpacesFixture harbor;
  private final List<TestClient> clients = new ArrayList<>();

  ScopedReadingTest(TestDatabase kind) {
    this.harbor = new SpacesFixture(kind);
  }

  @AfterEach
  void close() throws IOException {
    clients.forEach(TestClient::close);
    harbor.close();
  }

  @Test
  void activity_shows_messages_without_their_text_unless_the_token_reads_messages() {
    write("ada", MAIL);

    JsonNode seen = with("agents:read").get("/api/agents/ada/activity").body();
    JsonNode message = seen.at("/recent_messages/0");
    assertThat(seen.toString()).doesNotContain(MAIL);
    assertThat(message.path("from").asText()).isEqualTo("operator");
    assertThat(message.has("text")).isFalse();
    assertThat(message.path("hidden").asText()).contains("needs the scope messages:read");

    for (TestClient reader :
        List.of(
            with("agents:read", "messages:read"),
            with("agents:read", "messages:read agent=ada"),
            harbor.daemon.client())) {
      assertThat(reader.get("/api/agents/ada/activity").body().toString())
          .contains(MAIL)
          .doesNotContain("hidden");
    }
    assertThat(
            with("agents:read", "messages:read agent=ben")
                .get("/api/agents/ada/activity")
                .body()
                .toString())
        .doesNotContain(MAIL);
  }

  @Test
  void pages_of_agents_show_messages_without_their_text_unless_the_token_reads_messages() {
    write("ada", MAIL);
    harbor.daemon.client().send("PUT", "/api/people/ana", "{\"role\":\"viewer\"}");

    for (String path : List.of("/agents", "/agents/ada", "/team?who=ada")) {
      for (TestClient reader : List.of(with("agents:read"), harbor.ana)) {
        Answer page = reader.get(path);
        assertThat(page.status()).as(path).isEqualTo(200);
        assertThat(page.body().asText())
            .as(path)
            .doesNotContain(MAIL)
            .contains("needs the scope messages:read");
      }
      assertThat(with("agents:read", "messages:read").get(path).body().asText())
          .as(path)
          .contains(MAIL);
    }
  }

  @Test
  void final_texts_of_turns_need_the_scope_for_runs() {
    speaker("eve");
    write("eve", "a-turn");
    Await.until(() -> harbor.daemon.get("/api/agents/eve").body().has("lastSaid"));

    for (String path :
        List.of("/api/agents/eve", "/api/agents/eve/activity", "/agents/eve", "/team?who=eve")) {
      assertThat(with("agents:read").get(path).body().toString()).as(path).doesNotContain(FINAL);
      assertThat(with("agents:read", "runs:read").get(path).body().toString())
          .as(path)
          .contains(FINAL);
    }
    assertThat(with("agents:read").get("/api/agents/eve").body().at("/lastSaid/hidden").asText())
        .contains("needs the scope runs:read");
  }

  @Test
  void memory_and_tokens_on_an_agents_page_need_their_own_scopes() {
    harbor.daemon.client().send("PUT", "/api/agents/ada/memory/notes", "{\"content\":\"Bergen\"}");
    harbor.daemon.post("/api/agents/ada/tokens", "{\"label\":\"workbench\"}");

    assertThat(with("agents:read").get("/agents/ada").body().asText())
        .doesNotContain("Bergen", "workbench")
        .contains("notes", "needs the scope memory:read");
    assertThat(with("agents:read", "memory:read", "tokens:read").get("/agents/ada").body().asText())
        .contains("Bergen", "workbench");
  }

  @Test
  void a_prompt_preview_needs_the_scope_for_runs() {
    write("ada", MAIL);

    Problems.require(with("agents:read").get("/api/agents/ada/briefing"), 403, "FORBIDDEN");
    assertThat(with("runs:read agent=ada").get("/api/agents/ada/briefing").status()).isEqualTo(200);
  }

  @Test
  void the_content_of_events_needs_the_scope_of_that_content() {
    write("ada", MAIL);
    SpacesFixture.say(harbor.daemon.client(), "crew", "said-in-crew");
    SpacesFixture.say(harbor.daemon.client(), "general", "said-in-general");

    try (var reader = events("", "events:read")) {
      JsonNode sent = reader.event("message_sent").data();
      assertThat(sent.path("to").asText()).isEqualTo("ada");
      assertThat(sent.has("text")).isFalse();
      assertThat(sent.path("hidden").asText()).contains("needs the scope messages:read");
      JsonNode said = reader.event("message_created").data();
      assertThat(said.has("text")).isFalse();
      assertThat(said.path("hidden").asText()).contains("needs the scope spaces:read");
    }
    try (var reader = events("", "events:read", "messages:read", "spaces:read space=general")) {
      assertThat(reader.event("message_sent").data().path("text").asText()).isEqualTo(MAIL);
      assertThat(reader.event("message_created").data().has("text")).isFalse();
      assertThat(reader.event("message_created").data().path("text").asText())
          .isEqualTo("said-in-general");
    }
    try (var reader = events("&agent=ada", "events:read agent=ada", "messages:read agent=ben")) {
      assertThat(reader.event("message_sent").data().has("text")).isFalse();
    }
  }

  @Test
  void arguments_and_final_texts_in_events_need_the_scope_for_runs() {
    speaker("eve");
    write("eve", "a-turn");
    Await.until(() -> harbor.daemon.get("/api/agents/eve").body().has("lastSaid"));

    try (var reader = events("", "events:read", "agents:read")) {
      JsonNode ended = reader.event("turn_ended").data();
      assertThat(ended.path("status").asText()).isEqualTo("done");
      assertThat(ended.toString()).doesNotContain(FINAL);
    }
    try (var reader = events("", "events:read", "runs:read agent=eve")) {
      assertThat(reader.event("turn_ended").data().toString()).contains(FINAL);
    }
  }

  @Test
  void a_subject_lists_no_runs_of_agents_outside_the_filter() {
    speaker("eve");
    String question = write("eve", "a-turn").text("message_id");
    String about = "/api/runs?subject=" + question;
    Await.until(() -> !harbor.daemon.get(about).body().path("runs").isEmpty());

    TestClient adas = with("runs:read agent=ada");
    assertThat(adas.get(about + "&agent=ada").body().path("runs")).isEmpty();
    assertThat(adas.get(about + "&agent=ada").body().path("usage").toString())
        .isEqualTo(harbor.daemon.get("/api/runs?subject=none").body().path("usage").toString());
    assertThat(with("runs:read agent=eve").get(about + "&agent=eve").body().path("runs"))
        .isNotEmpty();
  }

  @Test
  void messages_in_spaces_need_the_scope_for_spaces() {
    String post = SpacesFixture.say(harbor.daemon.client(), "crew", "said-in-crew").text("id");

    Answer refused = with("messages:read").get("/api/messages/" + post);
    Problems.require(refused, 403, "FORBIDDEN");
    assertThat(refused.text("message")).contains("spaces:read");
    assertThat(with("messages:read", "spaces:read").get("/api/messages/" + post).text("text"))
        .isEqualTo("said-in-crew");
  }

  @Test
  void held_messages_in_spaces_need_the_scope_for_spaces() {
    harbor.daemon.post(
        "/api/agents",
        """
        {"name":"crier","toolsets":["spaces"],"provider":{"name":"scripted","playbook":
         [{"when":{"kind":"message"},"do":[{"call":"enter_space","with":{"spaceId":"deck"}},
           {"call":"send_message","with":{"text":"Land ho"}}]}]}}
        """);
    harbor.daemon.createAgent("mate", "[]");
    harbor.create("{\"name\":\"Deck\",\"members\":[\"mate\",\"crier\"],\"maxChainDepth\":1}");
    harbor.daemon.post("/api/agents/crier/messages", "{\"text\":\"go\",\"sync\":false}");
    Await.until(() -> !harbor.daemon.get("/api/held").body().path("messages").isEmpty());

    for (String path : List.of("/api/held", "/api/messages?held=true&agent=mate")) {
      assertThat(with("messages:read").get(path).body().path("messages")).as(path).isEmpty();
      assertThat(with("messages:read", "spaces:read").get(path).body().path("messages"))
          .as(path)
          .hasSize(1);
    }
  }

  @Test
  void an_address_that_answers_a_call_is_shown_only_to_tokens_that_may_answer_it() {
    harbor
        .daemon
        .client()
        .send(
            "PUT",
            "/api/agents/ada",
            """
            {"name":"ada","provider":{"name":"external"},
             "tools":[{"name":"batch","description":"A job.","executionType":"external"}]}
            """);
    String call =
        harbor
            .daemon
            .post("/api/tools/batch/call", "{\"agent\":\"ada\",\"arguments\":{}}")
            .text("pendingToolCallId");

    JsonNode seen = with("approvals:read").get("/api/pending/" + call).body();
    assertThat(seen.path("tool").asText()).isEqualTo("batch");
    assertThat(seen.path("callbackUrl").isNull()).isTrue();
    assertThat(with("approvals:read").get("/api/pending").body().at("/pending/0/callbackUrl"))
        .isEqualTo(Json.own("null"));
    assertThat(
            with("approvals:read", "approvals:answer agent=ada")
                .get("/api/pending/" + call)
                .text("callbackUrl"))
        .contains("signature=");
  }

  @Test
  void the_page_of_a_space_lists_no_other_spaces_and_names_outside_the_filter() {
    speaker("zebra");
    harbor.create("{\"name\":\"Engine room\",\"topic\":\"boilers\"}");

    String page = with("spaces:read space=general").get("/spaces/general").body().asText();

    assertThat(page).contains("General").doesNotContain("Engine room", "boilers", "zebra", ">bo<");
    assertThat(with("spaces:read").get("/spaces/general").body().asText()).contains("Engine room");
  }

  @Test
  void remote_servers_on_the_health_page_need_their_own_scope() {
    harbor.daemon.post(
        "/api/agents",
        """
        {"name":"cat","provider":{"name":"external"},
         "mcp":{"servers":[{"name":"met-office","url":"http://127.0.0.1:1/mcp"}]}}
        """);

    assertThat(with("agents:read").get("/health").body().asText()).doesNotContain("met-office");
    assertThat(with("agents:read", "servers:read").get("/health").body().asText())
        .contains("met-office");
  }

  private Answer write(String agent, String text) {
    Answer sent =
        harbor.daemon.post(
            "/api/agents/" + agent + "/messages", "{\"text\":\"%s\"}".formatted(text));
    assertThat(sent.status()).as("%s", sent).isEqualTo(201);
    return sent;
  }

  private void speaker(String name) {
    harbor.daemon.createAgent(
        name,
        """
        [{"when":{"kind":"message"},"do":[{"say":"the-final-text-of-{{event.text}}"}]}]
        """);
  }

  private EventReader events(String query, String... scopes) {
    return new EventReader(
        harbor.daemon.url() + "/api/events?after=0" + query, with(scopes).token());
  }

  private TestClient with(String... scopes) {
    Answer created =
        harbor.daemon.post("/api/tokens", "{\"scopes\":%s}".formatted(Json.text(List.of(scopes))));
    assertThat(created.status()).as("%s", created).isEqualTo(201);
    TestClient client = harbor.daemon.as(created.text("token"));
    clients.add(client);
    return client;
  }
}
