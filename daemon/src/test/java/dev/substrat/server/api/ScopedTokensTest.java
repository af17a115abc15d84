package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.server.Problems;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A token with scopes is limited to them and to the role of its holder.
@OnEveryDatabase
@Timeout(300)
@Requirement("N7")
final class ScopedTokensTest {
  private final SpacesFixture harbor;
  private final List<TestClient> clients = new ArrayList<>();

  ScopedTokensTest(TestDatabase kind) {
    this.harbor = new SpacesFixture(kind);
  }

  @AfterEach
  void close() throws IOException {
    clients.forEach(TestClient::close);
    harbor.close();
  }

  @Test
  void a_metrics_token_reads_metrics_and_nothing_else() {
    TestClient prometheus = with("metrics:read");

    assertThat(prometheus.get("/metrics").status()).isEqualTo(200);
    assertThat(prometheus.get("/api/status").status()).isEqualTo(200);
    Answer refused = prometheus.get("/api/agents");
    Problems.require(refused, 403, "FORBIDDEN");
    assertThat(refused.text("message")).contains("agents:read", "the token has: metrics:read");
    Problems.require(harbor.ada.get("/metrics"), 403, "FORBIDDEN");
    Problems.require(harbor.ana.get("/metrics"), 403, "FORBIDDEN");
  }

  @Test
  void a_filter_limits_a_scope_to_an_agent_by_id_handle_or_name() {
    TestClient client = with("messages:send agent=ada", "runs:read agent=ada");
    String id = harbor.daemon.get("/api/agents/ada").text("id");

    for (String name : List.of("ada", id)) {
      assertThat(client.post("/api/agents/" + name + "/messages", "{\"text\":\"x\"}").status())
          .isEqualTo(201);
    }
    Answer refused = client.post("/api/agents/ben/messages", "{\"text\":\"x\"}");
    Problems.require(refused, 403, "FORBIDDEN");
    assertThat(refused.text("message")).contains("messages:send without that filter");
    assertThat(client.get("/api/runs?agent=ada").status()).isEqualTo(200);
    assertThat(client.get("/api/runs?agent=ben").status()).isEqualTo(403);
    assertThat(client.get("/api/runs?agent=ben&agent=ada").status()).isEqualTo(403);
    assertThat(client.get("/api/runs").status()).isEqualTo(403);
    assertThat(client.get("/api/agents/ada/messages").status()).isEqualTo(403);
  }

  @Test
  void a_filter_limits_a_scope_to_a_space() {
    TestClient client = with("spaces:read space=general", "spaces:post space=general");

    assertThat(SpacesFixture.say(client, "general", "hello").text("author")).isEqualTo("operator");
    assertThat(client.get("/api/spaces/crew/messages").status()).isEqualTo(403);
    assertThat(client.post("/api/spaces/crew/messages", "{\"text\":\"x\"}").status())
        .isEqualTo(403);
    assertThat(client.get("/api/spaces").status()).isEqualTo(403);
  }

  @Test
  void scopes_and_filters_are_validated_when_a_token_is_created() {
    Answer misspelt = create("{\"scopes\":[\"agent:read\"]}");
    Problems.require(misspelt, 400, "INVALID_ARGUMENTS");
    assertThat(misspelt.text("hint")).contains("did you mean agents:read?", "metrics:read");
    Problems.require(create("{\"scopes\":[\"metrics:read agent=ada\"]}"), 400, "INVALID_ARGUMENTS");
    Problems.require(create("{\"scopes\":[\"runs:read agnt=ada\"]}"), 400, "INVALID_ARGUMENTS");
    Problems.require(create("{\"scopes\":[]}"), 400, "INVALID_ARGUMENTS");
    Problems.require(
        create("{\"zoo\":true,\"scopes\":[\"agents:read\"]}"), 400, "INVALID_ARGUMENTS");
    Problems.require(
        create("{\"person\":\"ana\",\"scopes\":[\"agents:read\"]}"), 400, "INVALID_ARGUMENTS");
    assertThat(create("{\"scopes\":[\"runs:read agent=nobody\"]}").status()).isEqualTo(404);
    assertThat(create("{\"scopes\":[\"spaces:read space=nowhere\"]}").status()).isEqualTo(404);
    Problems.require(create("{\"expiresInSeconds\":0}"), 400, "INVALID_ARGUMENTS");
  }

  @Test
  void a_token_never_has_more_than_the_role_of_its_holder() {
    harbor.daemon.client().send("PUT", "/api/people/ana", "{\"role\":\"operator\"}");
    TestClient ana = client(create("{\"person\":\"ana\",\"scopes\":[\"agents:read\"]}"));
    assertThat(ana.get("/api/agents").status()).isEqualTo(200);

    harbor.daemon.client().send("PUT", "/api/people/ana", "{\"role\":\"member\"}");

    assertThat(ana.get("/api/agents").status()).isEqualTo(403);
  }

  @Test
  void a_token_with_scopes_cannot_create_one_with_more() {
    TestClient minting = with("tokens:write", "agents:read");
    String whole = harbor.daemon.token().split("_", 3)[1];

    Problems.require(minting.post("/api/tokens", "{}"), 403, "FORBIDDEN");
    Problems.require(
        minting.post("/api/tokens", "{\"scopes\":[\"agents:write\"]}"), 403, "FORBIDDEN");
    Problems.require(minting.post("/api/tokens/" + whole + "/rotate", "{}"), 403, "FORBIDDEN");
    assertThat(minting.post("/api/tokens", "{\"scopes\":[\"agents:read agent=ada\"]}").status())
        .isEqualTo(201);
  }

  @Test
  void a_session_and_a_successor_have_the_scopes_of_the_token() {
    Answer created = create("{\"scopes\":[\"runs:read agent=ada\"]}");
    String token = created.text("token");

    Answer session;
    try (var stranger = harbor.daemon.as("")) {
      session = stranger.post("/login", "{\"token\":\"%s\"}".formatted(token));
      String cookie = session.header("Set-Cookie").split(";", 2)[0];
      String[] ours = {"Cookie", cookie, "Origin", harbor.daemon.url()};
      assertThat(stranger.get("/agents", ours).status()).isEqualTo(403);
      assertThat(stranger.get("/api/runs?agent=ada", ours).status()).isEqualTo(200);
    }
    TestClient fresh =
        client(harbor.daemon.post("/api/tokens/" + created.text("id") + "/rotate", "{}"));
    assertThat(fresh.get("/api/runs?agent=ada").status()).isEqualTo(200);
    assertThat(fresh.get("/api/agents").status()).isEqualTo(403);
  }

  @Test
  void lists_show_the_given_scopes_and_the_expiry_of_a_token() {
    create("{\"label\":\"ci\",\"scopes\":[\"runs:read agent=ada\"],\"expiresInSeconds\":3600}");

    String tokens = harbor.daemon.get("/api/tokens").body().toString();

    assertThat(tokens).contains("\"scopes\":[\"runs:read agent=ada\"]", "\"expiresAt\"");
  }

  private TestClient with(String... scopes) {
    return client(create("{\"scopes\":%s}".formatted(Json.text(List.of(scopes)))));
  }

  private Answer create(String request) {
    return harbor.daemon.post("/api/tokens", request);
  }

  private TestClient client(Answer created) {
    assertThat(created.status()).as("%s", created).isEqualTo(201);
    TestClient client = harbor.daemon.as(created.text("token"));
    clients.add(client);
    return client;
  }
}
