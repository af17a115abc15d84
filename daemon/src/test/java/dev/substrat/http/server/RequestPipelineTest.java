package dev.substrat.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestClient;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks of a request (host, origin, token, route) and their order.
@OnOneDatabase
final class RequestPipelineTest {
  private final TestDaemon daemon;
  private final TestClient stranger;

  RequestPipelineTest(TestDatabase place) {
    this.daemon = TestDaemon.on(place);
    this.stranger = daemon.as("");
  }

  @AfterEach
  void stop() {
    stranger.close();
    daemon.close();
  }

  @Test
  void health_needs_no_token() {
    assertThat(stranger.get("/healthz").text("status")).isEqualTo("ok");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/agents", "/api/status", "/metrics", "/api/nothing", "/mcp"})
  void without_a_token_unknown_paths_are_not_revealed(String path) {
    assertProblem(stranger.get(path), 401, "UNAUTHORIZED");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Bearer substrat_",
        "Bearer substrat__",
        "Bearer substrat_0_0",
        "Bearer substrat_' or 1=1 --_x",
        "Basic b3BlcmF0b3I6b3BlcmF0b3I=",
        "substrat"
      })
  void a_malformed_token_is_rejected(String authorization) {
    assertProblem(stranger.get("/api/agents", "Authorization", authorization), 401, "UNAUTHORIZED");
  }

  @Test
  void a_token_with_one_wrong_character_is_rejected() {
    String right = daemon.token();
    char last = right.charAt(right.length() - 2);
    String wrong =
        right.substring(0, right.length() - 2)
            + (last == 'A' ? 'B' : 'A')
            + right.charAt(right.length() - 1);

    assertProblem(daemon.as(wrong).get("/api/agents"), 401, "UNAUTHORIZED");
    assertThat(daemon.get("/api/agents").status()).isEqualTo(200);
  }

  @Test
  void a_revoked_token_is_refused_at_once() {
    Answer minted = daemon.post("/api/tokens", "{}");
    try (var other = daemon.as(minted.text("token"))) {
      assertThat(other.get("/api/agents").status()).isEqualTo(200);

      assertThat(daemon.delete("/api/tokens/" + minted.text("id")).status()).isEqualTo(204);

      assertProblem(other.get("/api/agents"), 401, "UNAUTHORIZED");
    }
  }

  @Test
  void an_agent_cannot_use_routes_of_the_operator() {
    String path = "/api/agents/" + daemon.createAgent("ada", "[]").path("id").asText();
    Answer minted = daemon.post(path + "/tokens", "{}");
    assertThat(minted.status()).isEqualTo(201);
    try (var ada = daemon.as(minted.text("token"))) {
      assertThat(ada.get("/api/status").status()).isEqualTo(200);
      assertProblem(ada.get("/api/agents"), 403, "FORBIDDEN");
      assertProblem(ada.post("/api/shutdown", ""), 403, "FORBIDDEN");
      assertProblem(ada.get("/api/nothing"), 404, "NOT_FOUND");
    }
  }

  @Test
  void a_foreign_host_is_rejected_before_other_checks() {
    for (String host :
        new String[] {
          "evil.example",
          "evil.example:7420",
          "127.0.0.1.evil.example",
          "localhost.",
          "[::2]",
          "0.0.0.0"
        }) {
      assertThat(get("/api/agents", "Host: " + host)).contains("403", "FOREIGN_HOST");
      assertThat(get("/healthz", "Host: " + host)).contains("403", "FOREIGN_HOST");
    }
  }

  @Test
  void names_of_the_loopback_host_are_accepted() {
    for (String host :
        new String[] {
          "localhost", "LOCALHOST:1", "127.0.0.1:9", "[::1]:7420", "substrat.localhost:7420"
        }) {
      assertThat(get("/healthz", "Host: " + host)).startsWith("HTTP/1.1 200 ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://evil.example", "null", "http://localhost:1", "file://", ""})
  void a_foreign_origin_is_rejected_before_other_checks(String origin) {
    assertProblem(stranger.get("/api/agents", "Origin", origin), 403, "FOREIGN_ORIGIN");
    assertProblem(stranger.get("/healthz", "Origin", origin), 403, "FOREIGN_ORIGIN");
    assertProblem(
        daemon.client().post("/api/tokens", "{}", "Origin", origin), 403, "FOREIGN_ORIGIN");
  }

  @Test
  void a_second_origin_header_is_checked() {
    assertThat(
            get(
                "/healthz",
                "Host: " + address(),
                "Origin: " + daemon.url(),
                "Origin: https://evil.example"))
        .contains("403", "FOREIGN_ORIGIN");
  }

  @Test
  void the_origin_of_the_daemon_is_accepted() {
    assertThat(daemon.client().get("/api/agents", "Origin", daemon.url()).status()).isEqualTo(200);
  }

  @Test
  void an_authenticated_caller_gets_not_found_errors() {
    assertProblem(daemon.get("/api/nothing"), 404, "NOT_FOUND");
    assertProblem(daemon.get("/api/agents/nobody"), 404, "AGENT_NOT_FOUND");
    assertProblem(daemon.get("/nowhere"), 404, "NOT_FOUND");
  }

  @ParameterizedTest
  @ValueSource(strings = {"DELETE", "PUT", "PATCH", "OPTIONS", "BREW"})
  void a_wrong_method_gets_the_allowed_ones(String method) {
    Answer answer = daemon.client().send(method, "/api/agents", "");

    assertProblem(answer, 405, "METHOD_NOT_ALLOWED");
    assertThat(answer.header("Allow")).isEqualTo("GET, POST");
    assertThat(stranger.send(method, "/api/agents", "").status()).isEqualTo(401);
  }

  @Test
  void the_same_idempotency_key_returns_the_same_message() {
    String path =
        "/api/agents/" + daemon.createAgent("ben", "[]").path("id").asText() + "/messages";
    String[] key = {"Idempotency-Key", "once"};
    Answer first = daemon.client().post(path, "{\"text\": \"hello\"}", key);
    Answer again = daemon.client().post(path, "{\"sync\": true, \"text\": \"hello\"}", key);

    assertThat(first.status()).isEqualTo(201);
    assertThat(again.status()).isEqualTo(201);
    assertThat(again.text("message_id")).isEqualTo(first.text("message_id"));
    assertProblem(daemon.client().post(path, "{\"text\": \"bye\"}", key), 409, "CONFLICT");
    assertProblem(
        daemon.client().post(path, "{\"text\": \"hello\", \"sync\": false}", key), 409, "CONFLICT");
    assertThat(daemon.get(path).body().path("messages")).hasSize(1);
  }

  private static void assertProblem(Answer answer, int status, String code) {
    Problems.require(answer, status, code);
  }

  private String get(String path, String... headers) {
    return RawClient.talk(
        daemon.url(),
        "GET "
            + path
            + " HTTP/1.1\r\nConnection: close\r\n"
            + String.join("\r\n", headers)
            + "\r\n\r\n");
  }

  private String address() {
    return daemon.url().substring("http://".length());
  }
}
