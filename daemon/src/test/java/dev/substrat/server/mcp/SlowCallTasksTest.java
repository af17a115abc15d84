package dev.substrat.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.BlockedService;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A call that becomes pending is a task of the MCP client that made it.
@OnOneDatabase
@Timeout(300)
@Requirement({"C9", "N3"})
final class SlowCallTasksTest {
  private static final String MODERN =
      """
      "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
       "io.modelcontextprotocol/clientCapabilities":{
        "extensions":{"io.modelcontextprotocol/tasks":{}}}}\
      """;

  private final TestDatabase place;
  private final TestDaemon daemon;
  private final BlockedService service;
  private final TestClient ada;

  SlowCallTasksTest(TestDatabase kind) throws IOException {
    this.place = TestDatabase.fresh(kind.dialect());
    this.service = new BlockedService();
    this.daemon = TestDaemon.reaching(place, Map.of());
    var created =
        daemon.post(
            "/api/agents",
            """
            {"name":"ada","provider":{"name":"external"},"tools":[
              {"name":"slow","description":"Slow.","executionType":"internal",
               "execution":{"url":"%s","inlineSeconds":0}}]}
            """
                .formatted(service.url()));
    assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
    this.ada = daemon.as(daemon.post("/api/agents/ada/tokens", "{}").text("token"));
  }

  @AfterEach
  void close() throws IOException {
    ada.close();
    service.close();
    daemon.close();
    place.close();
  }

  private JsonNode modern(String method, String name, String parameters) {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s,%s}}"
            .formatted(method, parameters, MODERN);
    return ada.post(
            "/mcp",
            body,
            "MCP-Protocol-Version",
            "2026-07-28",
            "Mcp-Method",
            method,
            "Mcp-Name",
            name)
        .body()
        .path("result");
  }

  private JsonNode slow() {
    return modern("tools/call", "slow", "\"name\":\"slow\",\"arguments\":{}");
  }

  private JsonNode get(String task) {
    return modern("tasks/get", task, "\"taskId\":\"" + task + "\"");
  }

  private JsonNode inbox() {
    String request =
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"check_inbox","arguments":{}}}
        """;
    return ada.post("/mcp", request).body().at("/result/structuredContent/messages");
  }

  @Test
  void a_result_that_was_fetched_as_a_task_is_not_delivered_again() {
    JsonNode made = slow();
    assertThat(made.path("resultType").asText()).isEqualTo("task");
    String task = made.path("taskId").asText();
    assertThat(get(task).path("status").asText()).isEqualTo("working");
    service.answer();
    Await.until(() -> get(task).path("status").asText().equals("completed"));
    assertThat(get(task).at("/result/structuredContent/ok").asBoolean()).isTrue();
    assertThat(inbox()).isEmpty();
  }

  @Test
  void a_result_that_was_not_fetched_is_delivered_to_the_inbox() {
    String task = slow().path("taskId").asText();
    service.answer();
    Await.until(() -> daemon.get("/api/pending/" + task).text("status").equals("resolved"));
    assertThat(inbox())
        .singleElement()
        .satisfies(
            messages -> assertThat(messages.path("text").asText()).contains(task, "{\"ok\":true}"));
    assertThat(get(task).path("status").asText()).isEqualTo("completed");
  }

  @Test
  void a_call_that_the_daemon_executes_cannot_be_answered_by_others() {
    String task = slow().path("taskId").asText();
    var call = daemon.get("/api/pending/" + task);
    var brought =
        daemon.post(
            "/api/runs/" + call.text("runId") + "/tool-results",
            "{\"callId\":\"%s\",\"result\":{\"ok\":false}}".formatted(task));
    assertThat(brought.status()).isEqualTo(409);
    assertThat(brought.text("code")).isEqualTo("CONFLICT");
    assertThat(daemon.get("/api/pending").body().path("pending")).isEmpty();
    assertThat(daemon.get("/api/pending?status=all").body().path("pending")).isEmpty();
  }

  @Test
  void a_task_that_is_cancelled_delivers_nothing() {
    String task = slow().path("taskId").asText();
    Await.until(() -> service.count() == 1);
    modern("tasks/cancel", task, "\"taskId\":\"" + task + "\"");
    assertThat(get(task).path("status").asText()).isEqualTo("cancelled");
    service.answer();
    assertThat(inbox()).isEmpty();
  }
}
