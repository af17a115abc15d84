package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Memory of agents over HTTP.
@OnEveryDatabase
@Requirement("N9")
final class MemoryRoutesTest {
  private static final String MOOD = "/api/agents/ada/memory/mood";

  private final TestDatabase place;
  private final TestDaemon daemon;

  MemoryRoutesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    daemon.createAgent("ada", "[]");
    daemon.createAgent("ben", "[]");
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  void a_block_is_written_read_undone_and_deleted() {
    var made = put(MOOD, "{'content':'calm','limit':100,'description':'how you feel'}");
    assertThat(made.status()).isEqualTo(200);
    assertThat(made.body().path("version").asLong()).isEqualTo(1);
    put(MOOD, "{'content':'glad','reason':'spring'}");

    JsonNode block = daemon.get(MOOD).body();
    assertThat(block.path("content").asText()).isEqualTo("glad");
    assertThat(block.path("limit").asInt()).as("omitted keys are unchanged").isEqualTo(100);
    assertThat(block.path("description").asText()).isEqualTo("how you feel");
    JsonNode versions = daemon.get(MOOD + "/versions").body().path("versions");
    assertThat(versions.findValuesAsText("content")).containsExactly("glad", "calm");
    assertThat(versions.get(0).path("reason").asText()).isEqualTo("spring");
    assertThat(versions.get(0).path("author").asText()).isEqualTo("operator");

    assertThat(daemon.post(MOOD + "/undo", "").text("content")).isEqualTo("calm");
    assertThat(daemon.get("/api/agents/ada/memory").body().at("/blocks/0/version").asLong())
        .isEqualTo(3);
    assertThat(daemon.delete(MOOD).status()).isEqualTo(204);
    assertThat(daemon.get(MOOD).status()).isEqualTo(404);
    assertThat(daemon.post(MOOD + "/undo", "").text("content")).isEqualTo("calm");
  }

  @Test
  void versions_of_a_block_are_paged() {
    List.of("calm", "glad", "stern").forEach(mood -> put(MOOD, "{'content':'%s'}".formatted(mood)));

    JsonNode first = daemon.get(MOOD + "/versions?limit=2").body();
    assertThat(first.findValuesAsText("content")).containsExactly("stern", "glad");
    String next = MOOD + "/versions?limit=2&after=" + first.path("next").asText();
    JsonNode second = daemon.get(next).body();
    assertThat(second.findValuesAsText("content")).containsExactly("calm");
    assertThat(second.has("next")).isFalse();
    assertThat(daemon.get(MOOD + "/versions?after=x").status()).isEqualTo(400);
  }

  @Test
  void a_change_for_another_version_is_refused_with_the_current_text() {
    put(MOOD, "{'content':'calm'}");
    put(MOOD, "{'content':'glad'}");

    var refused = put(MOOD, "{'content':'stern','version':1}");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text("hint")).contains("\"glad\"");
    String body = "{\"content\":\"stern\"}";
    assertThat(daemon.client().send("PUT", MOOD, body, "If-Match", "\"1\"").status())
        .isEqualTo(409);
    assertThat(daemon.client().send("PUT", MOOD, body, "If-Match", "latest").status())
        .isEqualTo(400);
    assertThat(daemon.client().send("PUT", MOOD, body, "If-Match", "\"2\"").status())
        .isEqualTo(200);
    assertThat(put("/api/agents/ada/memory/other", "{'content':'x','version':1}").status())
        .isEqualTo(409);
  }

  @Test
  void invalid_memory_requests_are_rejected() {
    assertThat(put(MOOD, "{'content':'calm','limit':3}").text("code")).isEqualTo("TOO_LARGE");
    assertThat(put(MOOD, "{'content':'x','limit':0}").status()).isEqualTo(400);
    assertThat(put(MOOD, "{'content':'x','limit':20001}").status()).isEqualTo(400);
    assertThat(put("/api/agents/nobody/memory/mood", "{'content':'x'}").text("code"))
        .isEqualTo("AGENT_NOT_FOUND");
    assertThat(daemon.post(MOOD + "/undo", "").status()).isEqualTo(404);
    put(MOOD, "{'content':'x'}");
    assertThat(daemon.post(MOOD + "/undo", "").text("message")).contains("no earlier version");
  }

  @Test
  void passages_are_stored_found_and_deleted() {
    var stored =
        daemon.post(
            "/api/agents/ada/passages", "{\"content\":\"Ben likes TEA\",\"tags\":[\"ben\"]}");
    assertThat(stored.status()).isEqualTo(201);
    daemon.post("/api/agents/ada/passages", "{\"content\":\"tea is out\"}");

    assertThat(passages("ada", "?q=tea")).hasSize(2);
    assertThat(passages("ada", "?q=tea&tags=ben")).hasSize(1);
    assertThat(passages("ada", "?limit=1")).hasSize(1);
    assertThat(passages("ben", "?q=tea")).isEmpty();
    assertThat(daemon.delete("/api/agents/ben/passages/" + stored.text("id")).status())
        .isEqualTo(404);
    assertThat(daemon.delete("/api/agents/ada/passages/" + stored.text("id")).status())
        .isEqualTo(204);
    assertThat(passages("ada", "?q=tea")).hasSize(1);
  }

  @Test
  @Requirement("S2-43")
  void brain_entries_are_written_changed_found_and_deleted() {
    String brain = "/api/agents/ada/brain";
    var made = daemon.post(brain, "{\"title\":\"Style\",\"content\":\"short\",\"tags\":[\"a\"]}");
    assertThat(made.status()).isEqualTo(201);
    String entry = brain + "/" + made.text("id");

    assertThat(put(entry, "{'content':'shorter'}").text("title")).isEqualTo("Style");
    assertThat(daemon.get(brain + "?q=SHORTER&tags=A").body().path("entries")).hasSize(1);
    assertThat(put(entry.replace("ada", "ben"), "{'content':'x'}").status()).isEqualTo(404);
    assertThat(daemon.delete(entry.replace("ada", "ben")).status()).isEqualTo(404);
    assertThat(daemon.delete(entry).status()).isEqualTo(204);
    assertThat(daemon.get(brain).body().path("entries")).isEmpty();
  }

  @Test
  void a_block_is_shared_with_readers_and_writers() {
    String all = "/api/shared-blocks";
    String id = daemon.post(all, "{\"label\":\"plan\",\"content\":\"sail\"}").text("id");
    String agents = all + "/" + id + "/agents";

    daemon.post(agents, "{\"agent\":\"ada\",\"mayWrite\":true}");
    assertThat(daemon.post(agents, "{\"agent\":\"ben\"}").body().path("agents").toString())
        .isEqualTo(
            "[{\"agent\":\"ada\",\"mayWrite\":true},{\"agent\":\"ben\",\"mayWrite\":false}]");

    assertThat(daemon.get("/api/agents/ben/memory/plan").body().path("shared").asBoolean())
        .isTrue();
    put("/api/agents/ben/memory/plan", "{'content':'stay'}");
    assertThat(daemon.get("/api/agents/ada/memory/plan").text("content")).isEqualTo("stay");
    assertThat(daemon.delete(agents + "/ben").status()).isEqualTo(200);
    assertThat(daemon.delete(agents + "/ben").status()).isEqualTo(404);
    assertThat(daemon.get("/api/agents/ben/memory/plan").status()).isEqualTo(404);
    assertThat(daemon.get(all).body().at("/blocks/0/version").asLong()).isEqualTo(2);
    assertThat(daemon.get(all + "/none").status()).isEqualTo(404);
  }

  @Test
  @Requirement("N7")
  void only_the_operator_can_read_memory() {
    put(MOOD, "{'content':'calm'}");
    String token = daemon.post("/api/agents/ada/tokens", "{}").text("token");
    try (var ada = daemon.as(token)) {
      for (String path :
          new String[] {
            "/api/agents/ada/memory",
            MOOD,
            "/api/agents/ada/passages",
            "/api/agents/ada/brain",
            "/api/shared-blocks"
          }) {
        assertThat(ada.get(path).status()).as(path).isEqualTo(403);
      }
    }
  }

  private JsonNode passages(String agent, String query) {
    return daemon.get("/api/agents/" + agent + "/passages" + query).body().path("passages");
  }

  private TestClient.Answer put(String path, String body) {
    return daemon.client().send("PUT", path, body.replace('\'', '"'));
  }
}
