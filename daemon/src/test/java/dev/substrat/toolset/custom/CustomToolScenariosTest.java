package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.server.api.EventReader;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Scenarios with custom tools from end to end: a whole daemon, used over HTTP only.
@OnEveryDatabase
@Timeout(300)
final class CustomToolScenariosTest {
  private static final String SECRET = "canary-51e7c0";

  private static final String ASKER =
      """
      name: ada
      provider:
        name: scripted
        playbook:
          - when: { kind: message, text: "^ask" }
            do:
              - { call: enter_space, with: { spaceId: lab } }
              - { call: confirm, with: { question: "Open the gate?" }, save: asked }
              - { say: "asked: {{asked.status}}" }
          - when: { kind: message }
            do: [ { say: "meanwhile: {{event.text}}" } ]
          - when: { kind: tool_result }
            do:
              - { call: send_message, with: { recipient: operator, text: "heard {{event.text}}", sync: false } }
      tools:
        - name: confirm
          description: Asks a person.
          executionType: space
          display: { customUI: confirmAction, title: "Sure?" }
          execution: { timeout: TIMEOUT }
      """;

  private final TestDatabase place;
  private final FakeService service = new FakeService();
  private TestDaemon daemon;

  CustomToolScenariosTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = start();
  }

  private TestDaemon start() {
    return TestDaemon.reaching(place, Map.of("KEY", SECRET));
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    service.close();
    place.close();
  }

  private void agent(String yaml) {
    Answer made = daemon.post("/api/agents", Json.text(Yaml.own(yaml)));
    assertThat(made.status()).as("%s", made).isEqualTo(201);
  }

  private void lab() {
    Answer made =
        daemon.post("/api/spaces", "{\"id\":\"lab\",\"name\":\"lab\",\"members\":[\"ada\"]}");
    assertThat(made.status()).as("%s", made).isEqualTo(201);
  }

  /// The final text of ada's turn that reads `text`.
  private String ask(String text) {
    Answer sent =
        daemon.post(
            "/api/agents/ada/messages",
            Json.text(Json.object().put("text", text).put("sync", true)));
    String path = "/api/messages/" + sent.text("message_id");
    Await.until(
        () -> daemon.get(path).text("status").equals("replied"),
        () -> String.valueOf(daemon.get(path)));
    return daemon.get(path).body().at("/reply/text").asText();
  }

  private JsonNode pending() {
    return daemon.get("/api/pending").body().at("/pending/0");
  }

  private JsonNode card() {
    JsonNode messages = daemon.get("/api/spaces/lab/messages").body().path("messages");
    return messages
        .valueStream()
        .filter(message -> message.path("kind").asText().equals("tool"))
        .findFirst()
        .orElseThrow();
  }

  /// Messages of ada to the operator.
  private String inbox() {
    return Json.text(daemon.get("/api/inbox").body());
  }

  private Answer bring(JsonNode call) {
    return daemon.post(
        "/api/runs/" + call.path("runId").asText() + "/tool-results",
        "{\"callId\":\"%s\",\"result\":{\"confirmed\":true}}"
            .formatted(call.path("callId").asText()));
  }

  @Test
  @Requirement({"S3-8", "S3-36", "S3-39", "S3-40", "S3-41", "S3-42"})
  void an_answer_after_other_turns_and_a_restart_counts_once() {
    agent(ASKER.replace("TIMEOUT", "600000"));
    lab();
    assertThat(daemon.post("/api/agents/ada/messages", "{\"text\":\"ask\"}").status())
        .isEqualTo(201);
    Await.until(() -> pending().path("status").asText().equals("pending"));
    JsonNode call = pending();
    assertThat(card().path("status").asText()).isEqualTo("requires_action");

    assertThat(ask("and the weather?")).isEqualTo("meanwhile: and the weather?");
    daemon.close();
    daemon = start();
    assertThat(pending().path("callId")).isEqualTo(call.path("callId"));

    Answer taken = bring(call);
    assertThat(taken.status()).as("%s", taken).isEqualTo(200);
    Answer again = bring(call);
    assertThat(again.status()).as("%s", again).isEqualTo(409);
    Await.until(() -> inbox().contains("heard"), this::inbox);
    assertThat(inbox()).contains("confirmed");
    assertThat(card().path("status").asText()).isEqualTo("complete");
    assertThat(card().at("/metadata/output/confirmed").asBoolean()).isTrue();
    assertThat(ask("still there?")).isEqualTo("meanwhile: still there?");
  }

  @Test
  @Requirement({"S3-39", "S3-42"})
  void an_unanswered_question_expires_and_the_agent_gets_a_notice() {
    agent(ASKER.replace("TIMEOUT", "1000"));
    lab();
    daemon.post("/api/agents/ada/messages", "{\"text\":\"ask\"}");
    Await.until(() -> inbox().contains("heard"), this::inbox);
    assertThat(inbox()).contains("EXPIRED");
    assertThat(card().path("status").asText()).isEqualTo("expired");
    JsonNode call = daemon.get("/api/pending?status=all").body().at("/pending/0");
    assertThat(bring(call).status()).isEqualTo(409);
  }

  @Test
  @Requirement({"S3-14", "S3-16", "S3-34"})
  void a_visible_call_outside_of_spaces_is_not_shown_and_its_result_is_used() {
    agent(
        """
        name: ada
        provider:
          name: scripted
          playbook:
            - do:
                - { call: weather, with: { city: Bergen }, save: w }
                - { say: "it is {{w.sky}}" }
        tools:
          - name: weather
            description: Tells the weather.
            executionType: gateway
            visible: true
            execution: { url: "SERVICE/weather/{{input.city}}" }
        """
            .replace("SERVICE", service.url()));
    lab();
    service.answers("/weather/Bergen", 200, "application/json", "{\"sky\":\"grey\"}");
    assertThat(ask("look")).isEqualTo("it is grey");
    assertThat(daemon.get("/api/spaces/lab/messages").body().path("messages")).isEmpty();
  }

  @Test
  @Requirement({"S3-16", "S3-48"})
  void values_and_secrets_reach_the_service_only() {
    agent(
        """
        name: ada
        provider:
          name: scripted
          playbook:
            - do:
                - { call: enter_space, with: { spaceId: lab } }
                - { call: order, with: { ship: { name: Fram, crew: 13 } }, save: o }
                - { say: "{{o.got}}" }
        tools:
          - name: order
            description: Orders.
            executionType: gateway
            visible: true
            execution:
              url: "SERVICE/orders/{{input.ship.name}}?key=${env.KEY}"
              method: POST
              headers: { Authorization: "Bearer ${env.KEY}", X-Crew: "{{input.ship.crew}}" }
              body: { crew: "{{input.ship.crew}}", key: "${env.KEY}" }
        """
            .replace("SERVICE", service.url()));
    lab();
    service.answers(
        "/orders/Fram", 200, "application/json", "{\"got\":\"your key is %s\"}".formatted(SECRET));
    String said;
    StringBuilder streamed = new StringBuilder();
    try (var events = new EventReader(daemon.url() + "/api/events?after=0", daemon.token())) {
      said = ask("go");
      for (var one = events.event(); !one.event().equals("turn_ended"); one = events.event()) {
        streamed.append(one.event()).append(one.data());
      }
    }
    FakeService.Request request = service.last();
    assertThat(request.uri()).isEqualTo("/orders/Fram?key=" + SECRET);
    assertThat(request.headers())
        .containsEntry("authorization", "Bearer " + SECRET)
        .containsEntry("x-crew", "13");
    assertThat(Json.own(request.body()).path("crew").asInt()).isEqualTo(13);
    assertThat(said).startsWith("your key is").doesNotContain(SECRET);
    assertThat(streamed.toString()).contains("tool-call.complete").doesNotContain(SECRET);
    String run = daemon.get("/api/runs?agent=ada").body().at("/runs/0/id").asText();
    for (String path :
        new String[] {
          "/api/runs/" + run + "/messages", "/api/spaces/lab/messages", "/api/agents/ada"
        }) {
      assertThat(Json.text(daemon.get(path).body())).contains("ship").doesNotContain(SECRET);
    }
  }
}
