package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.http.server.Problems;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// `PUT /api/agents/{id}`: replaces the configuration of an existing agent.
@OnEveryDatabase
@Timeout(300)
final class AgentUpdateTest {
  private final TestDatabase place;
  private final TestDaemon daemon;

  AgentUpdateTest(TestDatabase kind) {
    // One team per test, each with the same names.
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
  }

  @BeforeEach
  void team() {
    create("{\"name\":\"Mira\"}");
    create("{\"name\":\"Ada\",\"parent\":\"mira\",\"description\":\"engines\"}");
    create("{\"name\":\"Ben\",\"parent\":\"mira\"}");
  }

  @AfterEach
  void stop() throws IOException {
    daemon.close();
    place.close();
  }

  private JsonNode create(String body) {
    Answer answer = daemon.post("/api/agents", body);
    assertThat(answer.status()).as("%s", answer).isEqualTo(201);
    return answer.body();
  }

  private Answer put(String path, String body) {
    return daemon.client().send("PUT", "/api/agents/" + path, body);
  }

  /// Kinds of all events so far. A new agent marks the end: on PostgreSQL events get their number
  /// shortly after the change.
  private List<String> told() {
    String last = create("{\"name\":\"the last\"}").path("handle").asText();
    var kinds = new ArrayList<String>();
    try (var reader = new EventReader(daemon.url() + "/api/events?after=0", daemon.token())) {
      reader.event("connected");
      var event = reader.event();
      while (!event.data().path("agent").asText().equals(last)) {
        // The operator's own token is from the daemon's start.
        if (!event.event().equals("token_minted")) {
          kinds.add(event.event());
        }
        event = reader.event();
      }
    }
    return kinds;
  }

  @Test
  @Requirement("S0-30")
  void the_whole_configuration_is_replaced_and_the_event_lists_changed_keys() {
    String id = daemon.get("/api/agents/ada").text("id");

    Answer answer =
        put(
            "ada",
            """
            {"name":"Adele","role":"reviewer","systemPrompt":"You review.",
             "provider":{"name":"external"},"limits":{"maxChildren":2}}
            """);

    assertThat(answer.status()).as("%s", answer).isEqualTo(200);
    assertThat(answer.text("id")).isEqualTo(id);
    assertThat(answer.text("handle")).isEqualTo("ada");
    assertThat(answer.text("name")).isEqualTo("Adele");
    assertThat(answer.text("role")).isEqualTo("reviewer");
    assertThat(answer.text("description")).isEmpty();
    assertThat(answer.body().at("/provider/name").asText()).isEqualTo("external");
    assertThat(daemon.get("/api/agents/ada/config").body().toString())
        .isEqualTo(
            "{\"name\":\"Adele\",\"handle\":\"ada\",\"systemPrompt\":\"You review.\","
                + "\"role\":\"reviewer\",\"provider\":{\"name\":\"external\"},"
                + "\"limits\":{\"maxChildren\":2},\"parent\":\"mira\"}");
    try (var reader = new EventReader(daemon.url() + "/api/events?after=0", daemon.token())) {
      JsonNode event = reader.event("agent_updated").data();
      assertThat(event.path("agentId").asText()).isEqualTo(id);
      assertThat(event.path("agent").asText()).isEqualTo("ada");
      assertThat(event.path("changed").valueStream().map(JsonNode::asText))
          .containsExactlyInAnyOrder(
              "name", "role", "systemPrompt", "provider", "limits", "description");
    }
  }

  @Test
  void an_equal_configuration_changes_nothing_and_creates_no_event() {
    for (String name : List.of("mira", "ada", "ben")) {
      JsonNode config = daemon.get("/api/agents/" + name + "/config").body();
      assertThat(put(name, config.toString()).status()).isEqualTo(200);
    }
    // Defaults that the daemon fills in are no change either.
    put("mira", "{\"name\":\"Mira\"}");
    put(
        "ben",
        """
        {"name":"Ben","handle":"ben","description":"","role":"worker","limits":{},
         "provider":{"name":"scripted"},"parent":"mira"}
        """);

    assertThat(told()).containsOnly("agent_created").hasSize(3);
  }

  @Test
  void the_agent_created_event_has_the_parents_handle() {
    String mira = daemon.get("/api/agents/mira").text("id");
    create("{\"name\":\"Noor\",\"parent\":\"" + mira + "\"}");
    try (var reader =
        new EventReader(daemon.url() + "/api/events?after=0&agent=noor", daemon.token())) {
      assertThat(reader.event("agent_created").data().path("parent").asText()).isEqualTo("mira");
    }
  }

  @Test
  void sibling_names_are_unique() {
    Problems.require(put("ada", "{\"name\":\"ben\"}"), 409, "NAME_TAKEN");
    assertThat(put("ada", "{\"name\":\"ADA\"}").text("name")).isEqualTo("ADA");
    // Agents without a parent are not siblings.
    create("{\"name\":\"Noor\"}");
    assertThat(put("noor", "{\"name\":\"Mira\"}").status()).isEqualTo(200);
    daemon.delete("/api/agents/ben");
    assertThat(put("ada", "{\"name\":\"ben\"}").status()).isEqualTo(200);
  }

  @Test
  void a_handle_may_change_to_one_that_was_never_used() {
    assertThat(put("ada", "{\"name\":\"Ada L.\",\"handle\":\"engineer\"}").text("handle"))
        .isEqualTo("engineer");
    assertThat(daemon.get("/api/agents/ada").status()).isEqualTo(404);
    Problems.require(put("engineer", "{\"name\":\"Ada\",\"handle\":\"ben\"}"), 409, "NAME_TAKEN");
    daemon.delete("/api/agents/ben");
    Answer refused = put("engineer", "{\"name\":\"Ada\",\"handle\":\"ben\"}");
    Problems.require(refused, 409, "NAME_TAKEN");
    assertThat(refused.text("message")).contains("terminated");
    Problems.require(
        put("engineer", "{\"name\":\"Ada\",\"handle\":\"No Way\"}"), 422, "INVALID_CONFIG");
  }

  @Test
  void the_parent_of_an_agent_cannot_change() {
    Answer refused = put("ada", "{\"name\":\"Ada\",\"parent\":\"ben\"}");
    Problems.require(refused, 422, "INVALID_CONFIG");
    assertThat(refused.text("message")).isEqualTo("/parent cannot change: ada reports to mira");
    assertThat(refused.text("hint")).contains("create it under ben");
    Problems.require(put("mira", "{\"name\":\"Mira\",\"parent\":\"ada\"}"), 422, "INVALID_CONFIG");
    String mira = daemon.get("/api/agents/mira").text("id");
    assertThat(put("ada", "{\"name\":\"Ada\",\"parent\":\"" + mira + "\"}").status())
        .isEqualTo(200);
  }

  @Test
  void an_invalid_update_is_rejected_like_an_invalid_new_agent() {
    Answer misspelt = put("ada", "{\"name\":\"Ada\",\"systemPromt\":\"x\"}");
    Problems.require(misspelt, 400, "INVALID_ARGUMENTS");
    assertThat(misspelt.text("message")).contains("systemPromt");
    Problems.require(
        put("ada", "{\"name\":\"Ada\",\"provider\":{\"name\":\"oracle\"}}"),
        422,
        "UNKNOWN_PROVIDER");
    Problems.require(put("nobody", "{\"name\":\"Ada\"}"), 404, "AGENT_NOT_FOUND");
    daemon.delete("/api/agents/ada");
    Problems.require(put("ada", "{\"name\":\"Ada\"}"), 404, "AGENT_NOT_FOUND");
  }

  @Test
  @Requirement("N7")
  void agents_cannot_change_configurations() {
    String token = daemon.post("/api/agents/mira/tokens", "{}").text("token");
    try (var mira = daemon.as(token)) {
      for (String one : List.of("mira", "ada")) {
        Problems.require(
            mira.send("PUT", "/api/agents/" + one, "{\"name\":\"Ada\"}"), 403, "FORBIDDEN");
        Problems.require(mira.get("/api/agents/" + one + "/config"), 403, "FORBIDDEN");
      }
    }
  }

  @Test
  void a_dry_run_reports_changes_and_makes_none() {
    assertThat(put("ada?dryRun=true", "{\"name\":\"Ada\",\"role\":\"reviewer\"}").body().toString())
        .isEqualTo("{\"dryRun\":true,\"handle\":\"ada\",\"changed\":[\"role\",\"description\"]}");
    Answer create = daemon.post("/api/agents?dryRun=true", "{\"name\":\"Ben\"}");
    assertThat(create.status()).isEqualTo(200);
    assertThat(create.text("handle")).isEqualTo("ben-2");
    Problems.require(
        daemon.post("/api/agents?dryRun=true", "{\"name\":\"Ben\",\"parent\":\"mira\"}"),
        409,
        "NAME_TAKEN");
    Problems.require(put("ada?dryRun=maybe", "{\"name\":\"Ada\"}"), 400, "INVALID_ARGUMENTS");

    assertThat(daemon.get("/api/agents").body().path("agents")).hasSize(3);
    assertThat(told()).containsOnly("agent_created").hasSize(3);
    assertThat(daemon.get("/api/agents/ada").text("role")).isEqualTo("worker");
  }

  @Test
  void of_concurrent_requests_for_one_handle_exactly_one_succeeds() throws Exception {
    List<Callable<Answer>> requests = new ArrayList<>();
    for (String one : List.of("mira", "ada", "ben")) {
      String name = daemon.get("/api/agents/" + one).text("name");
      requests.add(() -> put(one, "{\"name\":\"" + name + "\",\"handle\":\"captain\"}"));
    }
    requests.add(() -> daemon.post("/api/agents", "{\"name\":\"Sam\",\"handle\":\"captain\"}"));

    var statuses = new ArrayList<Integer>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var outcome : threads.invokeAll(requests)) {
        statuses.add(outcome.get().status());
      }
    }

    assertThat(statuses).filteredOn(status -> status < 300).hasSize(1);
    assertThat(statuses).filteredOn(status -> status == 409).hasSize(3);
  }

  @Test
  void spawned_agents_are_distinguished_from_created_ones() {
    create("{\"name\":\"Noor\",\"provider\":{\"name\":\"external\"}}");
    String token = daemon.post("/api/agents/noor/tokens", "{}").text("token");
    try (var noor = daemon.as(token)) {
      noor.post(
          "/mcp",
          """
          {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"spawn_agent",
           "arguments":{"name":"Kim","instructions":"count the crates"}}}
          """,
          "Accept",
          "application/json, text/event-stream");
    }

    assertThat(daemon.get("/api/agents/kim").body().path("spawned").asBoolean()).isTrue();
    assertThat(daemon.get("/api/agents/noor").body().path("spawned").asBoolean(true)).isFalse();
  }
}
