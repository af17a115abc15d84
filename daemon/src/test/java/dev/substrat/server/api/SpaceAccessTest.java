package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestClient;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// People post under their own name only, and do not see spaces they are not members of.
@OnEveryDatabase
@Timeout(300)
@Requirement("N7")
final class SpaceAccessTest {
  private final SpacesFixture harbor;

  SpaceAccessTest(TestDatabase kind) {
    this.harbor = new SpacesFixture(kind);
  }

  @AfterEach
  void close() throws IOException {
    harbor.close();
  }

  @Test
  void a_person_cannot_post_as_another_author() {
    for (String key : List.of("author", "authorId", "from", "person", "member", "principal")) {
      String body = "{\"text\":\"x\",\"%s\":\"operator\"}".formatted(key);
      assertThat(harbor.ana.post("/api/spaces/general/messages", body).status())
          .as(key)
          .isEqualTo(400);
    }
    var said =
        harbor.ana.post(
            "/api/spaces/general/messages?author=operator&person=bo",
            "{\"text\":\"x\"}",
            "X-Person",
            "bo",
            "Cookie",
            "substrat_session=" + harbor.daemon.token());
    assertThat(said.text("author")).isEqualTo("ana");
    assertThat(
            harbor.ana.post("/api/spaces/general/read", "{\"seq\":1,\"member\":\"bo\"}").status())
        .isEqualTo(400);
  }

  /// The same response as for a space that does not exist.
  @Test
  void a_private_space_is_not_found_by_other_people() {
    String secret = SpacesFixture.say(harbor.ana, "crew", "between us").text("id");
    TestClient bo = harbor.bo;

    for (String id : List.of("crew", "no-such-space")) {
      String space = "/api/spaces/" + id;
      assertNotFound(bo.get(space));
      assertNotFound(bo.get(space + "/messages"));
      assertNotFound(bo.post(space + "/messages", "{\"text\":\"x\"}"));
      assertNotFound(bo.post(space + "/read", "{\"seq\":1}"));
      assertNotFound(bo.post(space + "/members", "{\"member\":\"bo\"}"));
      assertNotFound(bo.send("DELETE", space + "/members", "{\"member\":\"ana\"}"));
      assertNotFound(bo.send("PUT", space, "{\"topic\":\"x\"}"));
      assertNotFound(bo.get("/api/events?space=" + id));
      assertThat(bo.get(space).text("hint")).doesNotContain("crew");
    }
    for (String id : List.of(secret, "no-such-message")) {
      assertNotFound(bo.get("/api/messages/" + id + "/replies"));
      assertNotFound(bo.post("/api/messages/" + id + "/reactions", "{\"emoji\":\"x\"}"));
      assertNotFound(bo.send("DELETE", "/api/messages/" + id + "/reactions", "{\"emoji\":\"x\"}"));
      String reply = "{\"text\":\"x\",\"parentId\":\"%s\"}".formatted(id);
      assertNotFound(bo.post("/api/spaces/general/messages", reply));
    }
    assertThat(harbor.ana.get("/api/spaces/crew/messages").body().path("messages")).hasSize(1);
  }

  private static void assertNotFound(TestClient.Answer answer) {
    assertThat(answer.status()).as("%s", answer).isEqualTo(404);
    assertThat(answer.text("message")).doesNotContain("Crew", "between us");
  }

  @Test
  void a_person_cannot_create_spaces_or_remove_members() {
    assertThat(harbor.ana.post("/api/spaces", "{\"name\":\"mine\"}").status()).isEqualTo(403);
    var out = harbor.ana.send("DELETE", "/api/spaces/crew/members", "{\"member\":\"ada\"}");
    assertThat(out.text("code")).isEqualTo("FORBIDDEN");
    // Bo sees general, and is not in it.
    var in = harbor.bo.post("/api/spaces/general/members", "{\"member\":\"ben\"}");
    assertThat(in.text("code")).isEqualTo("NOT_A_MEMBER");
    var self = harbor.bo.post("/api/spaces/general/members", "{\"member\":\"bo\"}");
    assertThat(self.status()).isEqualTo(200);
  }

  @Test
  void suggestions_for_a_misspelt_name_are_not_shown_to_people() {
    String almost = "{\"member\":\"bem\"}";
    var theirs = harbor.ana.post("/api/spaces/crew/members", almost);
    var operators = harbor.daemon.post("/api/spaces/crew/members", almost);

    assertThat(theirs.status()).isEqualTo(404);
    assertThat(theirs.text("code")).isEqualTo("AGENT_NOT_FOUND");
    assertThat(theirs.toString()).doesNotContain("ben", "/api/agents");
    assertThat(operators.text("hint")).as("the operator sees all names").contains("ben");
  }

  @Test
  void agents_cannot_use_the_http_routes_of_spaces() {
    for (String path :
        List.of(
            "/api/spaces",
            "/api/spaces/general",
            "/api/spaces/general/messages",
            "/api/events?space=general",
            "/api/messages/x/replies")) {
      assertThat(harbor.ada.get(path).status()).as(path).isEqualTo(403);
    }
    var said = harbor.ada.post("/api/spaces/general/messages", "{\"text\":\"x\"}");
    assertThat(said.status()).isEqualTo(403);
    assertThat(said.text("message")).isEqualTo("only people can do this");
  }
}
