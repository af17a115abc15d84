package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.BlockedService;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Calls that the daemon executes in the background, over HTTP.
@OnEveryDatabase
@Timeout(300)
@Requirement("C9")
final class ExecutedCallRoutesTest {
  private final TestDatabase place;
  private final TestDaemon daemon;
  private final BlockedService service;

  ExecutedCallRoutesTest(TestDatabase kind) throws IOException {
    this.place = TestDatabase.fresh(kind.dialect());
    this.service = new BlockedService();
    this.daemon = TestDaemon.reaching(place, Map.of());
    Answer created =
        daemon.post(
            "/api/agents",
            """
            {"name":"ada","provider":{"name":"external"},"tools":[
              {"name":"slow","description":"Slow.","executionType":"internal",
               "execution":{"url":"%s","inlineSeconds":0}},
              {"name":"confirm","description":"Asks.","executionType":"space"}]}
            """
                .formatted(service.url()));
    assertThat(created.status()).as("%s", created).isEqualTo(201);
  }

  @AfterEach
  void close() throws IOException {
    service.close();
    daemon.close();
    place.close();
  }

  private String call(String tool) {
    Answer made = daemon.post("/api/tools/" + tool + "/call", "{\"agent\":\"ada\"}");
    assertThat(made.text("status")).as("%s", made).isEqualTo("pending");
    return made.text("pendingToolCallId");
  }

  @Test
  void an_agent_shows_its_executed_calls_until_they_end() {
    assertThat(daemon.get("/api/agents/ada").body().path("executing").isArray()).isTrue();
    assertThat(daemon.get("/api/agents/ada").body().path("executing")).isEmpty();
    call("confirm");
    String slow = call("slow");

    for (JsonNode executing :
        new JsonNode[] {
          daemon.get("/api/agents/ada").body().path("executing"),
          daemon.get("/api/agents/ada/activity").body().path("executing"),
          daemon.get("/api/agents").body().at("/agents/0/executing")
        }) {
      assertThat(executing).hasSize(1);
      assertThat(executing.get(0).path("callId").asText()).isEqualTo(slow);
      assertThat(executing.get(0).path("tool").asText()).isEqualTo("slow");
      assertThat(executing.get(0).path("since").asText()).isNotEmpty();
    }
    service.answer();
    Await.until(() -> daemon.get("/api/agents/ada").body().path("executing").isEmpty());
  }

  @Test
  void an_executed_call_is_listed_only_on_request_and_marked() {
    String confirm = call("confirm");
    String slow = call("slow");

    assertThat(daemon.get("/api/pending").body().path("pending"))
        .extracting(one -> one.path("callId").asText())
        .containsExactly(confirm);
    assertThat(daemon.get("/api/pending?byDaemon=true").body().path("pending"))
        .extracting(one -> one.path("callId").asText())
        .containsExactly(confirm, slow);
    assertThat(daemon.get("/api/pending/" + slow).body().path("byDaemon").asBoolean()).isTrue();
    assertThat(daemon.get("/api/pending/" + confirm).body().path("byDaemon").asBoolean(true))
        .isFalse();
  }
}
