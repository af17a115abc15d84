package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tokens of zoo clients with a default agent.
@OnOneDatabase
final class DefaultAgentTest {
  private final McpTeam team;

  DefaultAgentTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
    team.daemon.post("/api/agents", "{\"name\":\"Rita\",\"systemPrompt\":\"Review.\"}");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"S2-34", "S2-16"})
  void a_new_chat_gets_its_default_agent() {
    try (var ide = new ZooTestClient(team.daemon, ",\"defaultAgent\":\"rita\"")) {
      assertThat(ide.instructions())
          .contains("The default agent of this workspace is Rita (agentId=rita).");
      assertThat(ide.prompts().path(0).path("name").asText()).isEqualTo("agent_zoo_use_default");
      assertThat(ide.prompt("agent_zoo_use_default"))
          .isEqualTo(ide.injected("rita"))
          .endsWith("Review.");
      assertThat(ide.call("agent_zoo_inject", "{}").path("code").asText())
          .as("the tools still require an agent id")
          .isEqualTo("INVALID_ARGUMENTS");
    }
    try (var ide = new ZooTestClient(team.daemon, "")) {
      assertThat(ide.instructions()).doesNotContain("default agent");
      assertThat(ide.prompts().toString()).doesNotContain("agent_zoo_use_default");
      assertThat(ide.rpc("prompts/get", "{\"name\":\"agent_zoo_use_default\"}").has("error"))
          .isTrue();
    }
  }

  @Test
  @Requirement("S2-34")
  void a_terminated_default_agent_is_reported_as_terminated() {
    try (var before = new ZooTestClient(team.daemon, ",\"defaultAgent\":\"rita\"")) {
      team.daemon.delete("/api/agents/rita");

      assertThat(before.prompt("agent_zoo_use_default"))
          .startsWith("The default agent of this workspace, Rita, has been terminated.");
      assertThat(before.prompts().path(0).path("description").asText())
          .isEqualTo("Rita, the default agent of this workspace, has been terminated.");
      assertThat(
              before
                  .rpc("initialize", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}")
                  .at("/result/instructions")
                  .asText())
          .contains("Rita, has been terminated", "agent_zoo_list_agents");
    }
  }

  @Test
  @Requirement("S2-34")
  void the_default_agent_belongs_to_the_token_and_its_successor() {
    String rita = team.daemon.get("/api/agents/rita").text("id");
    String id =
        team.daemon.post("/api/tokens", "{\"zoo\":true,\"defaultAgent\":\"rita\"}").text("id");
    assertThat(listed(id).path("defaultAgent").asText()).isEqualTo(rita);

    String heir = team.daemon.post("/api/tokens/" + id + "/rotate", "{}").text("id");

    assertThat(listed(heir).path("defaultAgent").asText()).isEqualTo(rita);
    assertThat(listed(heir).path("principal").asText()).isEqualTo("zoo");
  }

  @Test
  @Requirement("S2-34")
  void only_zoo_clients_have_a_default_agent_and_it_must_exist() {
    var operators = team.daemon.post("/api/tokens", "{\"defaultAgent\":\"rita\"}");
    assertThat(operators.status()).isEqualTo(400);
    assertThat(operators.text("message")).startsWith("/defaultAgent");
    var unknown = team.daemon.post("/api/tokens", "{\"zoo\":true,\"defaultAgent\":\"nobody\"}");
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.text("code")).isEqualTo("AGENT_NOT_FOUND");
  }

  @Test
  @Requirement("S2-34")
  void an_agent_named_default_is_not_the_default_agent() {
    team.daemon.post("/api/agents", "{\"name\":\"default\",\"systemPrompt\":\"I am it.\"}");
    try (var ide = new ZooTestClient(team.daemon, ",\"defaultAgent\":\"rita\"")) {
      assertThat(ide.prompts().findValuesAsText("name")).containsOnlyOnce("agent_zoo_use_default");
      assertThat(ide.prompt("agent_zoo_use_default")).endsWith("Review.");
    }
    try (var ide = new ZooTestClient(team.daemon, "")) {
      assertThat(ide.prompt("agent_zoo_use_default")).endsWith("I am it.");
    }
  }

  private JsonNode listed(String token) {
    return team.daemon
        .get("/api/tokens")
        .body()
        .path("tokens")
        .valueStream()
        .filter(one -> one.path("id").asText().equals(token))
        .findFirst()
        .orElseThrow();
  }
}
