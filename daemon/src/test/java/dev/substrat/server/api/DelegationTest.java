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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A caller cannot grant rights that it does not have, neither by a token nor by a role.
@OnEveryDatabase
@Timeout(300)
@Requirement("N7")
final class DelegationTest {
  private static final List<String> MEMBER =
      List.of(
          "people:write",
          "spaces:read",
          "spaces:post",
          "approvals:read",
          "approvals:answer",
          "events:read");

  private final SpacesFixture harbor;
  private final List<TestClient> clients = new ArrayList<>();

  DelegationTest(TestDatabase kind) {
    this.harbor = new SpacesFixture(kind);
  }

  @AfterEach
  void close() throws IOException {
    clients.forEach(TestClient::close);
    harbor.close();
  }

  @Test
  void a_token_of_an_agent_needs_the_scopes_for_what_the_agent_can_do() {
    Answer refused = with("tokens:write", "agents:write").post("/api/agents/ada/tokens", "{}");
    Problems.require(refused, 403, "FORBIDDEN");
    assertThat(refused.text("message")).contains("messages:read", "memory:write", "spaces:post");
    assertThat(refused.text("hint")).contains("--scope");

    TestClient adas =
        with(
            Stream.concat(
                    Stream.of("tokens", "agents", "messages", "memory").flatMap(this::onAda),
                    Stream.of("spaces:read", "spaces:post"))
                .toArray(String[]::new));
    assertThat(adas.post("/api/agents/ada/tokens", "{}").status()).isEqualTo(201);
    Problems.require(adas.post("/api/agents/ben/tokens", "{}"), 403, "FORBIDDEN");
  }

  private Stream<String> onAda(String noun) {
    return (noun.equals("messages")
            ? Stream.of("read", "send")
            : noun.equals("tokens") ? Stream.of("write") : Stream.of("read", "write"))
        .map(verb -> noun + ":" + verb + " agent=ada");
  }

  @Test
  void a_token_of_a_zoo_client_needs_the_scopes_for_the_agents_it_sees() {
    Answer refused = with("tokens:write", "agents:read").post("/api/tokens", "{\"zoo\":true}");
    Problems.require(refused, 403, "FORBIDDEN");
    assertThat(refused.text("message")).contains("memory:read", "memory:write");

    TestClient limited =
        with(
            "tokens:write",
            "agents:read agent=ada",
            "memory:read agent=ada",
            "memory:write agent=ada");
    Problems.require(limited.post("/api/tokens", "{\"zoo\":true}"), 403, "FORBIDDEN");
    Problems.require(
        limited.post("/api/tokens", "{\"zoo\":true,\"agents\":[\"ada\",\"ben\"]}"),
        403,
        "FORBIDDEN");
    assertThat(limited.post("/api/tokens", "{\"zoo\":true,\"agents\":[\"ada\"]}").status())
        .isEqualTo(201);
  }

  @Test
  void a_token_neither_rotates_nor_revokes_a_wider_one() {
    TestClient minting = with("tokens:write", "agents:read");
    String operators = harbor.daemon.token().split("_", 3)[1];
    String agents = harbor.daemon.post("/api/agents/ada/tokens", "{}").text("id");
    String zoo = harbor.daemon.post("/api/tokens", "{\"zoo\":true}").text("id");
    String other = created("agents:write").text("id");
    String narrow = created("agents:read agent=ada").text("id");

    for (String wider : List.of(operators, agents, zoo, other)) {
      Problems.require(minting.post("/api/tokens/" + wider + "/rotate", "{}"), 403, "FORBIDDEN");
      Problems.require(minting.delete("/api/tokens/" + wider), 403, "FORBIDDEN");
    }
    assertThat(harbor.daemon.get("/api/agents").status()).as("it still works").isEqualTo(200);
    assertThat(minting.delete("/api/tokens/" + narrow).status()).isEqualTo(204);
  }

  @Test
  void a_token_for_a_new_person_needs_the_scope_to_create_people() {
    TestClient minting = with("tokens:write", "spaces:read");
    String request = "{\"person\":\"%s\",\"scopes\":[\"spaces:read\"]}";

    Answer refused = minting.post("/api/tokens", request.formatted("new"));
    Problems.require(refused, 403, "FORBIDDEN");
    assertThat(refused.text("message")).contains("people:write");
    assertThat(harbor.daemon.get("/api/people").body().toString()).doesNotContain("\"new\"");
    assertThat(minting.post("/api/tokens", request.formatted("ana")).status()).isEqualTo(201);
  }

  @Test
  void a_caller_cannot_grant_a_role_with_more_scopes_than_its_own() {
    for (TestClient caller : List.of(with("people:write"), with(MEMBER.toArray(String[]::new)))) {
      for (String role : List.of("owner", "operator", "viewer")) {
        Answer refused = caller.send("PUT", "/api/people/ana", "{\"role\":\"%s\"}".formatted(role));
        Problems.require(refused, 403, "FORBIDDEN");
        assertThat(refused.text("message")).contains("role " + role, "agents:read");
        Problems.require(
            caller.post("/api/people", "{\"name\":\"x\",\"role\":\"%s\"}".formatted(role)),
            403,
            "FORBIDDEN");
      }
    }
    assertThat(harbor.daemon.get("/api/people").body().findValuesAsText("role"))
        .containsExactly("member", "member");
    TestClient managing = with(MEMBER.toArray(String[]::new));
    assertThat(managing.post("/api/people", "{\"name\":\"vera\"}").status()).isEqualTo(201);
    assertThat(managing.delete("/api/people/vera").status()).isEqualTo(204);
  }

  @Test
  void a_caller_cannot_change_a_person_whose_role_has_more_scopes() {
    harbor.daemon.client().send("PUT", "/api/people/ana", "{\"role\":\"owner\"}");
    TestClient managing = with(MEMBER.toArray(String[]::new));

    for (String change : List.of("{\"role\":\"member\"}", "{\"displayName\":\"Bo\"}")) {
      Problems.require(managing.send("PUT", "/api/people/ana", change), 403, "FORBIDDEN");
    }
    Problems.require(managing.delete("/api/people/ana"), 403, "FORBIDDEN");
    assertThat(harbor.ana.get("/api/people").status()).as("still an owner").isEqualTo(200);

    assertThat(harbor.daemon.delete("/api/people/ana").status()).isEqualTo(204);
    Problems.require(managing.post("/api/people", "{\"name\":\"ana\"}"), 403, "FORBIDDEN");
    assertThat(managing.post("/api/people", "{\"name\":\"ana\",\"role\":\"member\"}").status())
        .isEqualTo(201);
  }

  private Answer created(String... scopes) {
    Answer created =
        harbor.daemon.post("/api/tokens", "{\"scopes\":%s}".formatted(Json.text(List.of(scopes))));
    assertThat(created.status()).as("%s", created).isEqualTo(201);
    return created;
  }

  private TestClient with(String... scopes) {
    TestClient client = harbor.daemon.as(created(scopes).text("token"));
    clients.add(client);
    return client;
  }
}
