package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.server.Problems;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Agents are found by id, handle or unique name, with suggestions for misspelt ones.
@OnEveryDatabase
final class AgentLookupTest {
  private final TestDatabase place;
  private final TestDaemon daemon;

  AgentLookupTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  void a_unique_name_identifies_an_agent() {
    create("{\"name\":\"Zed Zee\",\"handle\":\"zz\"}");
    assertThat(daemon.get("/api/agents/zed%20zee").text("handle")).isEqualTo("zz");

    create("{\"name\":\"Zed Zee\"}");
    var answer = daemon.get("/api/agents/Zed%20Zee");
    Problems.require(answer, 404, "AGENT_NOT_FOUND");
    assertThat(answer.text("hint")).startsWith("did you mean zz or zed-zee?");
  }

  @Test
  void a_misspelt_handle_gets_a_suggestion() {
    create("{\"name\":\"greeter\"}");

    var answer = daemon.get("/api/agents/Greter");

    Problems.require(answer, 404, "AGENT_NOT_FOUND");
    assertThat(answer.text("hint")).startsWith("did you mean greeter?");
  }

  @Test
  void the_handle_of_a_terminated_agent_does_not_resolve_to_another() {
    create("{\"name\":\"mira\"}");
    daemon.delete("/api/agents/mira");
    create("{\"name\":\"Mira\"}");

    var answer = daemon.get("/api/agents/mira");

    Problems.require(answer, 404, "AGENT_NOT_FOUND");
    assertThat(answer.text("message")).contains("is terminated");
    assertThat(answer.text("hint")).contains("substrat agent list --all");
    assertThat(answer.text("hint")).startsWith("did you mean mira-2?");
  }

  @Test
  void terminated_agents_are_listed_on_request_and_their_runs_remain() {
    create("{\"name\":\"mira\"}");
    daemon.delete("/api/agents/mira");

    assertThat(daemon.get("/api/agents").body().path("agents")).isEmpty();
    assertThat(daemon.get("/api/agents?terminated=true").body().at("/agents/0/state").asText())
        .isEqualTo("terminated");
    assertThat(daemon.get("/api/runs?agent=mira").status()).isEqualTo(200);
    Problems.require(daemon.get("/api/runs?agent=ghost"), 404, "AGENT_NOT_FOUND");
  }

  @Test
  void the_handle_of_a_terminated_agent_is_rejected_with_a_free_one() {
    create("{\"name\":\"mira\"}");
    daemon.delete("/api/agents/mira");

    var answer = daemon.post("/api/agents", "{\"name\":\"mira\",\"handle\":\"mira\"}");

    Problems.require(answer, 409, "NAME_TAKEN");
    assertThat(answer.text("hint")).contains("use mira-2, which is free");
  }

  @Test
  @Requirement("N11")
  void a_playbook_that_calls_a_tool_that_does_not_exist_is_refused() {
    var answer =
        daemon.post(
            "/api/agents",
            """
            {"name":"ada","provider":{"name":"scripted","playbook":
             [{"do":[{"say":"hm"},{"call":"send_mesage","with":{}}]}]}}
            """);

    Problems.require(answer, 422, "INVALID_CONFIG");
    assertThat(answer.text("message"))
        .isEqualTo("/provider/playbook/0/do/1/call: the agent has no tool send_mesage");
    assertThat(answer.text("hint")).isEqualTo("did you mean send_message?");
  }

  @Test
  void missing_unknown_and_invalid_keys_are_reported_together() {
    create("{\"name\":\"mira\"}");

    var answer = daemon.post("/api/agents/mira/messages", "{\"txt\":\"hi\",\"sync\":1}");

    Problems.require(answer, 400, "INVALID_ARGUMENTS");
    assertThat(answer.text("message"))
        .contains("/text is missing", "/txt is not a known key", "/sync integer found");
    assertThat(answer.text("hint")).isEqualTo("correct the listed values and retry");
  }

  @Test
  void misspelt_keys_get_suggestions() {
    var answer =
        daemon.post(
            "/api/agents",
            """
            {"name":"ada","systemPromt":"Be kind.","limits":{"maxChildrn":3},
             "tools":[{"name":"w","description":"d","executionType":"gatway"}]}
            """);

    Problems.require(answer, 400, "INVALID_ARGUMENTS");
    assertThat(answer.text("message"))
        .contains(
            "/systemPromt is not a known key (did you mean systemPrompt?)",
            "/limits/maxChildrn is not a known key (did you mean maxChildren?)",
            "/tools/0/executionType must be one of gateway, external, space, internal"
                + ", not \"gatway\" (did you mean gateway?)");
    assertThat(daemon.post("/api/agents", "{\"name\":\"a\",\"toolsets\":[\"teem\"]}").text("hint"))
        .isEqualTo(
            "did you mean team? use one of: team, spaces, channels, memory, goals, workspace, control");
    assertThat(
            daemon
                .post("/api/agents", "{\"name\":\"a\",\"provider\":{\"name\":\"scriptd\"}}")
                .text("hint"))
        .startsWith("did you mean scripted? available providers: ");
  }

  private void create(String json) {
    assertThat(daemon.post("/api/agents", json).status()).isEqualTo(201);
  }
}
