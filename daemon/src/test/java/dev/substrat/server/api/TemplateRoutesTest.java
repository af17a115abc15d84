package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Templates and clones of agents over HTTP.
@OnEveryDatabase
final class TemplateRoutesTest {
  private final TestDatabase place;
  private final TestDaemon daemon;

  TemplateRoutesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  @Requirement("S2-33")
  void every_built_in_template_creates_an_agent() {
    JsonNode templates = daemon.get("/api/templates").body().path("templates");
    assertThat(templates.findValuesAsText("id"))
        .containsExactly(
            "release-manager", "researcher", "reviewer", "support-triage", "team-lead", "writer");
    for (JsonNode template : templates) {
      assertThat(template.path("builtIn").asBoolean()).isTrue();
      assertThat(template.path("config").has("provider"))
          .as("a template has no provider")
          .isFalse();
      String id = template.path("id").asText();
      Answer made =
          daemon.post("/api/agents", "{\"name\":\"x %s\",\"template\":\"%s\"}".formatted(id, id));
      assertThat(made.status()).as("%s", made).isEqualTo(201);
      assertThat(made.text("systemPrompt")).isEqualTo(template.at("/config/systemPrompt").asText());
      assertThat(made.body().path("skills")).hasSizeGreaterThan(2);
    }
  }

  @Test
  @Requirement("S2-33")
  void given_values_override_the_template() {
    Answer made =
        create(
            """
            {"name": "Rita", "template": "reviewer", "systemPrompt": "Be kind.", "role": "worker",
             "skills": []}\
            """);

    assertThat(made.text("systemPrompt")).isEqualTo("Be kind.");
    assertThat(made.text("role")).isEqualTo("worker");
    assertThat(made.body().path("skills")).isEmpty();
    assertThat(made.text("description")).startsWith("Reviews changes");
    assertThat(daemon.get("/api/agents/rita/config").body().has("template"))
        .as("later changes of a template are no business of the agent")
        .isFalse();
    Answer inside =
        daemon.post(
            "/api/agents",
            """
            {"name": "x", "tools": [{"name": "think", "description": "d", "executionType": "gateway",
             "execution": {"agentConfig": {"name": "y", "template": "writer"}}}]}\
            """);
    assertThat(inside.text("code")).as("%s", inside).isEqualTo("INVALID_CONFIG");
    assertThat(inside.text("message")).contains("agentConfig/template");
    Answer none = daemon.post("/api/agents", "{\"name\":\"x\",\"template\":\"reviewr\"}");
    assertThat(none.status()).isEqualTo(404);
    assertThat(none.text("hint")).contains("did you mean reviewer?");
  }

  @Test
  @Requirement("S2-33")
  void an_agent_is_saved_as_a_template_and_created_from_it() {
    create("{\"name\":\"mira\"}");
    create(
        """
        {"name": "Ada", "parent": "mira", "systemPrompt": "Count.", "contextRefs": ["a.md"],
         "provider": {"name": "external"}, "skills": [{"name": "Sums", "enabled": false}]}\
        """);

    Answer saved = daemon.post("/api/templates", "{\"agent\":\"ada\",\"name\":\"Harbor hand\"}");

    assertThat(saved.status()).isEqualTo(201);
    assertThat(saved.text("id")).isEqualTo("harbor-hand");
    assertThat(saved.body().path("builtIn").asBoolean(true)).isFalse();
    assertThat(saved.body().path("config").has("name")).isFalse();
    assertThat(saved.body().path("config").has("parent")).isFalse();
    JsonNode made = create("{\"name\":\"Bo\",\"template\":\"harbor-hand\"}").body();
    JsonNode ada = daemon.get("/api/agents/ada").body();
    for (String key : new String[] {"systemPrompt", "skills", "contextRefs", "provider"}) {
      assertThat(made.path(key)).as(key).isEqualTo(ada.path(key));
    }
    assertThat(made.path("parentId").isNull()).isTrue();
    assertThat(
            daemon
                .post("/api/templates", "{\"agent\":\"ada\",\"name\":\"harbor HAND\"}")
                .text("code"))
        .isEqualTo("NAME_TAKEN");
    assertThat(
            daemon.post("/api/templates", "{\"agent\":\"ada\",\"name\":\"writer\"}").text("code"))
        .isEqualTo("NAME_TAKEN");
    assertThat(daemon.post("/api/templates", "{\"agent\":\"ada\",\"name\":\"—\"}").status())
        .isEqualTo(400);
  }

  @Test
  @Requirement("S2-33")
  void deleting_a_template_keeps_its_agents() {
    create("{\"name\":\"ada\"}");
    daemon.post("/api/templates", "{\"agent\":\"ada\"}");
    create("{\"name\":\"bo\",\"template\":\"ada\"}");

    assertThat(daemon.delete("/api/templates/ada").status()).isEqualTo(204);

    assertThat(daemon.delete("/api/templates/ada").status()).isEqualTo(404);
    assertThat(daemon.get("/api/agents/bo").status()).isEqualTo(200);
    assertThat(daemon.delete("/api/templates/writer").text("code")).isEqualTo("FORBIDDEN");
    try (var log = new EventReader(daemon.url() + "/api/events?after=0", daemon.token())) {
      assertThat(log.event("template_saved").data().path("template").asText()).isEqualTo("ada");
      assertThat(log.event("template_deleted").data().path("template").asText()).isEqualTo("ada");
    }
  }

  @Test
  @Requirement("S2-33")
  void a_clone_has_the_configuration_but_not_the_messages_of_the_original() {
    create("{\"name\":\"mira\"}");
    create(
        """
        {"name": "ada", "parent": "mira", "systemPrompt": "Count.",
         "provider": {"name": "external"}, "limits": {"maxChildren": 3}}\
        """);
    daemon.post("/api/agents/ada/tokens", "{}");
    daemon.post("/api/agents/ada/messages", "{\"text\":\"mail\"}");
    block("ada", "plan", "{\"content\":\"ships first\",\"limit\":500,\"readOnly\":true}");

    Answer clone = daemon.post("/api/agents/ada/clone", "{\"name\":\"Grace\",\"memory\":true}");

    assertThat(clone.status()).as("%s", clone).isEqualTo(201);
    assertThat(clone.text("handle")).isEqualTo("grace");
    assertThat(clone.body().path("pendingCount").asInt()).isZero();
    assertThat(config("grace"))
        .isEqualTo(
            config("ada")
                .replace("ada", "grace")
                .replace("\"name\":\"grace\"", "\"name\":\"Grace\""));
    JsonNode copied = daemon.get("/api/agents/grace/memory/plan").body();
    assertThat(copied.path("content").asText()).isEqualTo("ships first");
    assertThat(copied.path("limit").asInt()).isEqualTo(500);
    assertThat(copied.path("readOnly").asBoolean()).isTrue();
    block("grace", "plan", "{\"content\":\"boats first\"}");
    assertThat(daemon.get("/api/agents/ada/memory/plan").text("content")).isEqualTo("ships first");
    String id = clone.text("id");
    assertThat(daemon.get("/api/tokens").body().path("tokens").findValuesAsText("principal"))
        .doesNotContain(id);
    assertThat(daemon.get("/api/runs?agent=grace").body().path("runs")).isEmpty();
  }

  @Test
  @Requirement("S2-33")
  void a_clone_without_memory_is_empty_and_its_name_is_validated() {
    create("{\"name\":\"mira\"}");
    create("{\"name\":\"ada\",\"parent\":\"mira\"}");
    block("ada", "plan", "{\"content\":\"ships first\"}");

    daemon.post("/api/agents/ada/clone", "{\"name\":\"bo\",\"handle\":\"bo-2\"}");

    assertThat(daemon.get("/api/agents/bo-2/memory").body().path("blocks")).isEmpty();
    assertThat(daemon.post("/api/agents/ada/clone", "{\"name\":\"Ada\"}").text("code"))
        .isEqualTo("NAME_TAKEN");
    assertThat(daemon.post("/api/agents/nobody/clone", "{\"name\":\"x\"}").status()).isEqualTo(404);
    assertThat(daemon.post("/api/agents/ada/clone", "{}").status()).isEqualTo(400);
  }

  private Answer create(String json) {
    Answer made = daemon.post("/api/agents", json);
    assertThat(made.status()).as("%s", made).isEqualTo(201);
    return made;
  }

  private String config(String agent) {
    return daemon.get("/api/agents/" + agent + "/config").body().toString();
  }

  private void block(String agent, String label, String json) {
    Answer set = daemon.client().send("PUT", "/api/agents/" + agent + "/memory/" + label, json);
    assertThat(set.status()).as("%s", set).isLessThan(300);
  }
}
