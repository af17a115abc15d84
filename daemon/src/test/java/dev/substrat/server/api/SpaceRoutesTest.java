package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Spaces over HTTP, for the operator and people.
@OnEveryDatabase
@Timeout(300)
@Requirement("S4-22")
final class SpaceRoutesTest {
  private final SpacesFixture harbor;

  SpaceRoutesTest(TestDatabase kind) {
    this.harbor = new SpacesFixture(kind);
  }

  @AfterEach
  void close() throws IOException {
    harbor.close();
  }

  @Test
  void a_space_is_created_from_its_name_and_shown_with_its_members() {
    var created =
        harbor.create(
            """
            {"name":"Night Shift","kind":"private","wakePolicy":"mention","topic":"who watches",
             "members":["ada","bo","operator"]}\
            """);

    assertThat(created.text("id")).isEqualTo("night-shift");
    JsonNode shown = harbor.daemon.get("/api/spaces/night-shift").body();
    assertThat(shown).isEqualTo(created.body());
    assertThat(shown.path("kind").asText()).isEqualTo("private");
    assertThat(shown.path("wakePolicy").asText()).isEqualTo("mention");
    assertThat(shown.path("topic").asText()).isEqualTo("who watches");
    assertThat(shown.path("memberCount").asInt()).isEqualTo(3);
    assertThat(shown.path("members"))
        .extracting(member -> member.path("kind").asText() + " " + member.path("handle").asText())
        .containsExactly("agent ada", "person bo", "operator operator");
  }

  @Test
  void an_invalid_space_is_rejected() {
    assertRefused("{\"name\":\"General\"}", 409, "CONFLICT");
    assertRefused("{\"name\":\"x\",\"kind\":\"secret\"}", 400, "INVALID_ARGUMENTS");
    assertRefused("{\"name\":\"!!\"}", 400, "INVALID_ARGUMENTS");
    assertRefused("{\"name\":\"x\",\"wakePolicy\":\"some\"}", 400, "INVALID_ARGUMENTS");
    assertRefused("{\"name\":\"x\",\"members\":[\"nobody\"]}", 404, "AGENT_NOT_FOUND");
    assertRefused("{\"name\":\"x\",\"members\":[\"person/bo\"]}", 400, "INVALID_ARGUMENTS");
    assertRefused("{\"name\":\"x\",\"kind\":\"dm\",\"members\":[]}", 400, "INVALID_ARGUMENTS");
    assertRefused("{\"name\":\"x\",\"colour\":\"red\"}", 400, "INVALID_ARGUMENTS");
  }

  @Test
  void all_mistakes_of_a_space_are_reported_together() {
    var refused =
        harbor.daemon.post(
            "/api/spaces", "{\"name\":\"x\",\"kind\":\"secret\",\"wakePolicy\":\"some\"}");
    assertThat(refused.body().path("details"))
        .extracting(detail -> detail.path("pointer").asText())
        .containsExactly("/kind", "/wakePolicy");
  }

  @Test
  void a_dry_run_of_a_space_reports_mistakes_and_changes_nothing() {
    String yard = "{\"name\":\"Yard\",\"members\":[\"somebody-to-come\"]}";
    assertThat(harbor.daemon.post("/api/spaces?dryRun=true", yard).status()).isEqualTo(200);
    assertThat(harbor.daemon.get("/api/spaces/yard").status()).isEqualTo(404);
    assertThat(harbor.daemon.post("/api/spaces?dryRun=true", "{\"name\":\"General\"}").status())
        .isEqualTo(409);

    String target = "/api/spaces/general?dryRun=true";
    assertThat(harbor.daemon.client().send("PUT", target, "{\"topic\":\"ships\"}").status())
        .isEqualTo(200);
    assertThat(harbor.daemon.get("/api/spaces/general").text("topic")).isNotEqualTo("ships");
    assertThat(harbor.daemon.client().send("PUT", target, "{\"maxChainDepth\":-3}").status())
        .isEqualTo(400);
  }

  private void assertRefused(String body, int status, String code) {
    var refused = harbor.daemon.post("/api/spaces", body);
    assertThat(refused.status()).as(body).isEqualTo(status);
    assertThat(refused.text("code")).as(body).isEqualTo(code);
  }

  @Test
  void the_list_of_spaces_is_paged_and_limited_to_visible_ones() {
    JsonNode first = harbor.daemon.get("/api/spaces?limit=1").body();
    JsonNode second =
        harbor.daemon.get("/api/spaces?limit=1&after=" + first.path("next").asText()).body();
    assertThat(first.at("/spaces/0/id").asText()).isEqualTo("crew");
    assertThat(second.at("/spaces/0/id").asText()).isEqualTo("general");

    assertThat(ids(harbor.ana.get("/api/spaces").body())).containsExactly("crew", "general");
    assertThat(ids(harbor.bo.get("/api/spaces").body())).containsExactly("general");
  }

  private static Iterable<String> ids(JsonNode list) {
    return list.path("spaces").valueStream().map(space -> space.path("id").asText()).toList();
  }

  @Test
  void a_deleted_person_can_be_removed_from_a_space() {
    assertThat(harbor.daemon.delete("/api/people/ana").status()).isEqualTo(204);
    String ana = "{\"member\":\"ana\"}";
    var out = harbor.daemon.client().send("DELETE", "/api/spaces/crew/members", ana);

    assertThat(out.status()).as("%s", out).isEqualTo(200);
    assertThat(out.body().path("members"))
        .extracting(one -> one.path("handle").asText())
        .containsExactly("ada");
    assertThat(harbor.daemon.post("/api/spaces/crew/members", ana).status())
        .as("but not brought in")
        .isEqualTo(404);
  }

  @Test
  void a_space_can_be_changed_except_for_its_kind() {
    String change = "{\"name\":\"Quay\",\"wakePolicy\":\"mention\",\"maxChainDepth\":5}";
    var quay = harbor.daemon.client().send("PUT", "/api/spaces/crew", change);
    assertThat(quay.status()).as("%s", quay).isEqualTo(200);
    assertThat(quay.body().path("members"))
        .isEqualTo(harbor.ana.get("/api/spaces/crew").body().path("members"));
    assertThat(quay.text("name")).isEqualTo("Quay");
    assertThat(quay.text("wakePolicy")).isEqualTo("mention");
    assertThat(quay.body().path("maxChainDepth").asInt()).isEqualTo(5);

    for (String wrong :
        List.of(
            "{\"kind\":\"public\"}",
            "{\"wakePolicy\":\"some\"}",
            "{\"maxChainDepth\":0}",
            "{\"x\":1}")) {
      var refused = harbor.ana.send("PUT", "/api/spaces/crew", wrong);
      assertThat(refused.status()).as(wrong).isEqualTo(400);
    }
    assertThat(harbor.bo.send("PUT", "/api/spaces/general", change).text("code"))
        .isEqualTo("NOT_A_MEMBER");
  }

  @Test
  @Requirement("N2")
  void only_the_operator_changes_guards() {
    for (String guard : List.of("{\"maxChainDepth\":500}", "{\"wakePolicy\":\"none\"}")) {
      var refused = harbor.ana.send("PUT", "/api/spaces/crew", guard);
      assertThat(refused.status()).as(guard).isEqualTo(403);
      assertThat(refused.text("code")).isEqualTo("FORBIDDEN");
    }
    assertThat(harbor.ana.get("/api/spaces/crew").text("wakePolicy")).isEqualTo("all");
    var same =
        harbor.ana.send("PUT", "/api/spaces/crew", "{\"name\":\"Q\",\"wakePolicy\":\"all\"}");
    assertThat(same.text("name")).as("an unchanged value may be given").isEqualTo("Q");
  }

  @Test
  void members_are_added_and_removed_and_the_topic_changes() {
    var with = harbor.daemon.post("/api/spaces/crew/members", "{\"member\":\"bo\"}");
    assertThat(with.body().path("members"))
        .extracting(one -> one.path("handle").asText())
        .containsExactly("ada", "ana", "bo");
    assertThat(harbor.bo.get("/api/spaces/crew").status()).isEqualTo(200);
    var change = harbor.bo.send("PUT", "/api/spaces/crew", "{\"topic\":\"repairs\"}");
    assertThat(change.text("topic")).isEqualTo("repairs");

    String leave = "{\"member\":\"bo\"}";
    assertThat(harbor.bo.send("DELETE", "/api/spaces/crew/members", leave).status()).isEqualTo(204);
    assertThat(harbor.bo.get("/api/spaces/crew").status()).isEqualTo(404);
    assertThat(
            harbor.daemon.client().send("DELETE", "/api/spaces/crew/members", leave).text("code"))
        .isEqualTo("NOT_A_MEMBER");
  }
}
