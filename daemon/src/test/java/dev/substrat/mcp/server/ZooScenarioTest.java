package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.server.api.EventReader;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A person builds agents, and an IDE uses them while they are still being changed.
@OnOneDatabase
@Timeout(300)
final class ZooScenarioTest {
  private static final String WIZARD =
      """
      {"name": "Code Wizard", "systemPrompt": "%s",
       "skills": [{"name": "Types", "description": "Prefer strict types."},
                  {"name": "Haste", "description": "Hurry.", "enabled": %s}],
       "contextRefs": ["docs/style.md"]}\
      """;
  private static final String PROMPTS_CHANGED = "notifications/prompts/list_changed";
  private static final String RESOURCES_CHANGED = "notifications/resources/list_changed";
  private static final String WIZARD_URI = "agent-zoo://agents/code-wizard";

  private final McpTeam team;
  private final ZooTestClient ide;

  ZooScenarioTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
    team.daemon.post("/api/agents", WIZARD.formatted("Be concise.", "false"));
    team.daemon.post("/api/agents", "{\"name\":\"Doc Pro\",\"systemPrompt\":\"Explain.\"}");
    this.ide = new ZooTestClient(team.daemon, "");
  }

  @AfterEach
  void close() throws IOException {
    ide.close();
    team.close();
  }

  @Test
  @Requirement({"S2-2", "S2-5", "S2-9", "S2-19", "S2-20", "S2-21", "S2-28", "S2-29", "C11"})
  void an_ide_lists_injects_switches_and_sees_changes_at_the_next_call() {
    assertThat(call("agent_zoo_list_agents", "{}").toString())
        .contains("{\"id\":\"code-wizard\",\"name\":\"Code Wizard\"}", "\"id\":\"doc-pro\"");
    assertThat(ide.injected("code-wizard"))
        .isEqualTo(
            """
            You are now Code Wizard. Use agentId=code-wizard for all agent_zoo tool usage.

            Be concise.

            ---

            ## Active Skills

            ### Types
            Prefer strict types.

            ## Context

            - docs/style.md\
            """)
        .doesNotContain("[Agent Personality]", "[Active Skills]", "- Types:");
    assertThat(ide.injected("doc-pro")).startsWith("You are now Doc Pro.").endsWith("Explain.");
    assertThat(call("agent_zoo_inject", "{\"agentId\":\"code-wizard\",\"format\":\"structured\"}"))
        .isEqualTo(
            Json.own(
                """
                {"agentId": "code-wizard", "agentName": "Code Wizard",
                 "systemPrompt": "Be concise.",
                 "skills": [{"id": "types", "name": "Types",
                             "description": "Prefer strict types."}],
                 "contextRefs": ["docs/style.md"]}
                """));
    assertThat(call("agent_zoo_inject", "{\"agentId\":\"xyz\"}").toString())
        .isEqualTo(
            "{\"error\":true,\"code\":\"AGENT_NOT_FOUND\",\"message\":\"Agent with ID 'xyz' not"
                + " found.\"}");
    assertThat(call("agent_zoo_inject", "{\"agentId\":\"doc-pro\",\"format\":\"poem\"}").toString())
        .isEqualTo(
            "{\"error\":true,\"code\":\"INVALID_FORMAT\",\"message\":\"Unknown format 'poem'.\"}");

    save("Ramble.", "true");

    assertThat(ide.injected("code-wizard")).contains("Ramble.", "### Haste\nHurry.");
  }

  @Test
  @Requirement({"N12", "S2-2"})
  void saving_an_agent_notifies_zoo_clients_immediately() {
    ide.rpc("resources/subscribe", "{\"uri\":\"" + WIZARD_URI + "\"}");
    try (var stream = ide.listen()) {
      save("Ramble.", "false");

      awaitAll(
          stream,
          PROMPTS_CHANGED,
          RESOURCES_CHANGED,
          "notifications/resources/updated " + WIZARD_URI);
      assertThat(ide.prompt("agent_zoo_use_code-wizard")).contains("Ramble.");

      team.daemon.post("/api/agents", "{\"name\":\"Newcomer\",\"description\":\"Just here.\"}");

      awaitAll(stream, PROMPTS_CHANGED, RESOURCES_CHANGED);
      assertThat(ide.prompts().toString())
          .contains(
              """
              {"name":"agent_zoo_use_newcomer","title":"Newcomer","description":"Just here."}\
              """);

      team.daemon.delete("/api/agents/newcomer");

      awaitAll(stream, PROMPTS_CHANGED, RESOURCES_CHANGED);
      assertThat(ide.prompts().toString()).doesNotContain("newcomer");
    }
  }

  @Test
  @Requirement("N12")
  void agents_are_prompts_and_resources_too() {
    String compiled = ide.injected("code-wizard");

    assertThat(ide.prompt("agent_zoo_use_code-wizard")).isEqualTo(compiled);
    JsonNode read = ide.rpc("resources/read", "{\"uri\":\"" + WIZARD_URI + "\"}").path("result");
    assertThat(read.at("/contents/0/text").asText()).isEqualTo(compiled);
    assertThat(read.at("/contents/0/mimeType").asText()).isEqualTo("text/markdown");
    assertThat(ide.rpc("resources/list", "{}").at("/result/resources").findValuesAsText("uri"))
        .contains(WIZARD_URI, "agent-zoo://agents/mira");
    assertThat(
            ide.rpc("resources/templates/list", "{}")
                .at("/result/resourceTemplates/0/uriTemplate")
                .asText())
        .isEqualTo("agent-zoo://agents/{id}");
    assertThat(
            ide.rpc(
                    "completion/complete",
                    """
                    {"ref": {"type": "ref/resource", "uri": "agent-zoo://agents/{id}"},
                     "argument": {"name": "id", "value": "co"}}\
                    """)
                .at("/result/completion/values")
                .toString())
        .isEqualTo("[\"code-wizard\"]");
    assertThat(ide.rpc("prompts/get", "{\"name\":\"agent_zoo_use_nobody\"}").has("error")).isTrue();
    assertThat(ide.rpc("resources/read", "{\"uri\":\"agent-zoo://agents/nobody\"}").has("error"))
        .isTrue();
  }

  private JsonNode call(String tool, String arguments) {
    return ide.call(tool, arguments);
  }

  private void save(String prompt, String haste) {
    var saved =
        team.daemon
            .client()
            .send("PUT", "/api/agents/code-wizard", WIZARD.formatted(prompt, haste));
    assertThat(saved.status()).as("%s", saved).isEqualTo(200);
  }

  /// A repeated notification is no mistake; a missing one is.
  private static void awaitAll(EventReader stream, String... wanted) {
    var missing = new HashSet<>(List.of(wanted));
    while (!missing.isEmpty()) {
      JsonNode message = stream.event("message").data();
      missing.remove(
          (message.path("method").asText() + " " + message.at("/params/uri").asText()).strip());
    }
  }
}
