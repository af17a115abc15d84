package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// People over HTTP: creation by the operator, and the routes they may use.
@Requirement("N7")
final class PeopleRoutesTest {
  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);
  private final TestClient ana =
      daemon.as(daemon.post("/api/tokens", "{\"person\":\"ana\"}").text("token"));

  @AfterEach
  void close() throws IOException {
    ana.close();
    daemon.close();
    place.close();
  }

  @Test
  void people_are_created_listed_and_removed() {
    var created = daemon.post("/api/people", "{\"name\":\"bo\",\"displayName\":\"Bo Ek\"}");
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.text("displayName")).isEqualTo("Bo Ek");
    assertThat(daemon.post("/api/people", "{\"name\":\"bo\"}").status()).isEqualTo(409);
    assertThat(daemon.post("/api/people", "{\"name\":\"Bo Ek\"}").status()).isEqualTo(422);

    var first = daemon.get("/api/people?limit=1").body();
    assertThat(first.at("/people/0/name").asText()).isEqualTo("ana");
    assertThat(first.at("/people/0/displayName").isNull()).isTrue();
    var second = daemon.get("/api/people?limit=1&after=" + first.path("next").asText()).body();
    assertThat(second.at("/people/0/name").asText()).isEqualTo("bo");

    assertThat(daemon.delete("/api/people/bo").status()).isEqualTo(204);
    assertThat(daemon.delete("/api/people/bo").status()).isEqualTo(404);
    assertThat(daemon.get("/api/people").body().path("people")).hasSize(1);
  }

  @Test
  void creating_a_token_for_an_unknown_person_creates_the_person() {
    var first = daemon.post("/api/tokens", "{\"person\":\"cy\",\"label\":\"phone\"}");
    assertThat(first.status()).isEqualTo(201);
    assertThat(first.body().path("created").asBoolean()).isTrue();
    assertThat(daemon.post("/api/tokens", "{\"person\":\"cy\"}").body().path("created").asBoolean())
        .isFalse();
    assertThat(daemon.post("/api/tokens", "{\"person\":\"di\",\"zoo\":true}").status())
        .isEqualTo(400);
    assertThat(daemon.get("/api/tokens").body().path("tokens"))
        .anySatisfy(token -> {
          assertThat(token.path("principal").asText()).isEqualTo("person/cy");
          assertThat(token.path("label").asText()).isEqualTo("phone");
        });
  }

  @Test
  void the_token_of_a_revoked_or_removed_person_is_rejected_immediately() {
    var phone = daemon.post("/api/tokens", "{\"person\":\"ana\"}");
    try (var client = daemon.as(phone.text("token"))) {
      assertThat(client.get("/api/status").status()).isEqualTo(200);
      daemon.delete("/api/tokens/" + phone.text("id"));
      assertThat(client.get("/api/status").status()).isEqualTo(401);
    }
    assertThat(ana.get("/api/status").status()).isEqualTo(200);
    daemon.delete("/api/people/ana");
    assertThat(ana.get("/api/status").status()).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /api/people",
        "POST /api/people",
        "DELETE /api/people/ana",
        "GET /api/tokens",
        "POST /api/tokens",
        "GET /api/agents",
        "POST /api/agents",
        "POST /api/agents/ada/messages",
        "POST /api/agents/ada/tokens",
        "GET /api/inbox",
        "GET /api/runs",
        "GET /api/held",
        "POST /api/shutdown",
      })
  void operator_routes_are_forbidden_for_people(String request) {
    daemon.createAgent("ada", "[]");
    String[] words = request.split(" ", 2);
    var answer = ana.send(words[0], words[1], words[0].equals("POST") ? "{}" : "");

    assertThat(answer.status()).as(request).isEqualTo(403);
    assertThat(answer.text("code")).isEqualTo("FORBIDDEN");
  }

  @Test
  void people_have_no_tools() {
    String list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";
    var answer = ana.post("/mcp", list);

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.text("message")).isEqualTo("people have no MCP tools");
    assertThat(answer.text("hint")).contains("/api/spaces");
  }

  @Test
  void a_persons_token_opens_the_console_pages_for_people() {
    var answer = ana.post("/login", "{\"token\":\"%s\"}".formatted(ana.token()));
    assertThat(answer.status()).isEqualTo(204);
    String cookie = answer.header("Set-Cookie").split(";", 2)[0];
    try (var browser = daemon.as("")) {
      assertThat(browser.get("/spaces", "Cookie", cookie, "Sec-Fetch-Site", "none").status())
          .isEqualTo(200);
      assertThat(browser.get("/team", "Cookie", cookie, "Sec-Fetch-Site", "none").status())
          .isEqualTo(403);
    }
  }
}
