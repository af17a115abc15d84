package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.http.server.Problems;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Permissions of people follow from their role immediately, and their actions are recorded with
/// their name.
@OnEveryDatabase
@Timeout(300)
@Requirement("N7")
final class RolesTest {
  private final SpacesFixture harbor;

  RolesTest(TestDatabase kind) {
    this.harbor = new SpacesFixture(kind);
  }

  @AfterEach
  void close() throws IOException {
    harbor.close();
  }

  @Test
  void a_new_person_is_listed_as_a_member() {
    Answer created = harbor.daemon.post("/api/people", "{\"name\":\"vera\",\"role\":\"viewer\"}");

    assertThat(created.text("role")).isEqualTo("viewer");
    assertThat(
            harbor
                .daemon
                .get("/api/people")
                .body()
                .path("people")
                .valueStream()
                .map(one -> one.path("name").asText() + " " + one.path("role").asText()))
        .containsExactly("ana member", "bo member", "vera viewer");
  }

  @Test
  void an_unknown_role_is_rejected_with_the_known_ones() {
    Answer refused = harbor.daemon.post("/api/people", "{\"name\":\"vera\",\"role\":\"viewr\"}");

    Problems.require(refused, 400, "INVALID_ARGUMENTS");
    assertThat(refused.text("hint")).contains("did you mean viewer?", "owner, operator, member");
  }

  @Test
  void a_change_of_role_takes_effect_with_the_next_request() {
    assertThat(harbor.ana.get("/api/agents").status()).isEqualTo(403);

    role("ana", "operator");
    assertThat(harbor.ana.get("/api/agents").status()).isEqualTo(200);

    role("ana", "viewer");
    assertThat(harbor.ana.get("/api/agents").status()).isEqualTo(200);
    Answer refused = harbor.ana.post("/api/agents/ada/poke", "{\"text\":\"x\"}");
    Problems.require(refused, 403, "FORBIDDEN");
    assertThat(refused.text("message")).contains("agents:write", "viewer");
    assertThat(refused.text("hint")).contains("--role operator");

    role("ana", "member");
    assertThat(harbor.ana.get("/api/agents").status()).isEqualTo(403);
  }

  @Test
  void a_display_name_alone_leaves_the_role() {
    role("ana", "operator");

    Answer renamed =
        harbor.daemon.client().send("PUT", "/api/people/ana", "{\"displayName\":\"Ana B.\"}");

    assertThat(renamed.text("role")).isEqualTo("operator");
  }

  @Test
  void an_operator_manages_agents_and_spaces_but_not_people_and_the_daemon() {
    role("ana", "operator");

    assertThat(harbor.ana.get("/api/spaces").body().path("spaces")).hasSize(2);
    assertThat(
            harbor.ana.post("/api/spaces", "{\"name\":\"Secret\",\"kind\":\"private\"}").status())
        .isEqualTo(201);
    assertThat(harbor.ana.post("/api/agents/ada/tokens", "{}").status()).isEqualTo(201);
    assertThat(harbor.ana.post("/api/tokens", "{\"person\":\"ana\"}").status()).isEqualTo(201);
    for (String request : List.of("{}", "{\"person\":\"bo\"}", "{\"person\":\"new\"}")) {
      Problems.require(harbor.ana.post("/api/tokens", request), 403, "FORBIDDEN");
    }
    Problems.require(harbor.ana.post("/api/people", "{\"name\":\"x\"}"), 403, "FORBIDDEN");
    Problems.require(
        harbor.ana.send("PUT", "/api/people/ana", "{\"role\":\"owner\"}"), 403, "FORBIDDEN");
    Problems.require(harbor.ana.post("/api/shutdown", ""), 403, "FORBIDDEN");
    String operators = harbor.daemon.token().split("_", 3)[1];
    Problems.require(
        harbor.ana.post("/api/tokens/" + operators + "/rotate", "{}"), 403, "FORBIDDEN");
    Problems.require(harbor.ana.delete("/api/tokens/" + operators), 403, "FORBIDDEN");
  }

  @Test
  void a_named_operator_posts_under_their_name_and_sees_every_space() {
    role("bo", "operator");

    assertThat(harbor.bo.get("/api/spaces/crew").status()).isEqualTo(200);
    Answer said = SpacesFixture.say(harbor.bo, "general", "good morning");

    assertThat(said.text("author")).isEqualTo("bo");
  }

  @Test
  void a_viewer_reads_and_changes_nothing() {
    role("ana", "viewer");
    TestClient ana = harbor.ana;

    for (String path :
        List.of("/api/agents/ada", "/api/runs", "/api/spaces/crew", "/metrics", "/health")) {
      assertThat(ana.get(path).status()).as(path).isEqualTo(200);
    }
    Problems.require(ana.post("/api/spaces/crew/messages", "{\"text\":\"x\"}"), 403, "FORBIDDEN");
    Problems.require(ana.get("/api/inbox"), 403, "FORBIDDEN");
    role("bo", "viewer");
    assertThat(harbor.bo.get("/api/spaces/crew").status()).isEqualTo(404);
  }

  @Test
  void actions_of_an_operator_are_recorded_with_name_and_token() {
    role("ana", "operator");
    String token =
        harbor
            .daemon
            .post("/api/tokens", "{\"person\":\"ana\",\"label\":\"laptop\"}")
            .text("token");
    try (var laptop = harbor.daemon.as(token)) {
      laptop.send(
          "PUT",
          "/api/agents/ada",
          "{\"name\":\"ada\",\"provider\":{\"name\":\"external\"},\"description\":\"new\"}");
      laptop.send("PUT", "/api/agents/ada/memory/notes", "{\"content\":\"Bergen\"}");
      laptop.post("/api/agents/ada/gate", "{\"gated\":true}");
    }

    JsonNode versions = harbor.daemon.get("/api/agents/ada/versions").body().path("versions");
    assertThat(versions.get(0).path("author").asText()).isEqualTo("person/ana");
    assertThat(versions.get(1).path("author").asText()).isEqualTo("operator");
    assertThat(harbor.daemon.get("/api/agents/ada/memory/notes/versions").body().toString())
        .contains("\"author\":\"person/ana\"");
    try (var reader =
        new EventReader(harbor.daemon.url() + "/api/events?after=0", harbor.daemon.token())) {
      JsonNode gated = reader.event("agent_gated").data();
      assertThat(gated.path("by").asText()).isEqualTo("person/ana");
      assertThat(gated.path("byToken").asText()).isEqualTo("laptop");
    }
  }

  private void role(String name, String role) {
    Answer changed =
        harbor
            .daemon
            .client()
            .send("PUT", "/api/people/" + name, "{\"role\":\"%s\"}".formatted(role));
    assertThat(changed.status()).as("%s", changed).isEqualTo(200);
    assertThat(changed.text("role")).isEqualTo(role);
  }
}
