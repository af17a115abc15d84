package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which skills a zoo client gets, and that it cannot change them.
final class ZooSkillsTest {
  /// Sailing requires Knots, which is off; Racing requires Sailing, which is inactive therefore.
  private static final String SAILING =
      """
      [{"name":"Racing","description":"Win.","requires":["Sailing"]},
       {"name":"Sailing","description":"Steer.","requires":["Knots","Wind"]},
       {"name":"Knots","description":"Tie.","enabled":false},
       {"name":"Wind","description":"Feel it."}]\
      """;

  private McpTeam team;
  private ZooTestClient client;

  @BeforeEach
  void open() {
    team = new McpTeam(TestDatabase.fresh(Dialect.SQLITE));
    client = new ZooTestClient(team.daemon, "");
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    team.close();
  }

  @Test
  @Requirement({"S2-14", "S2-32"})
  void an_injection_has_only_skills_whose_requirements_are_met() {
    create(SAILING);

    JsonNode structured =
        client.call("agent_zoo_inject", "{\"agentId\":\"sam\",\"format\":\"structured\"}");
    assertThat(structured.path("skills"))
        .isEqualTo(Json.own("[{\"id\":\"wind\",\"name\":\"Wind\",\"description\":\"Feel it.\"}]"));
    assertThat(client.injected("sam"))
        .endsWith("Be calm.\n\n---\n\n## Active Skills\n\n### Wind\nFeel it.");

    replace(SAILING.replace("false", "true"));

    structured = client.call("agent_zoo_inject", "{\"agentId\":\"sam\",\"format\":\"structured\"}");
    assertThat(structured.path("skills").findValuesAsText("id"))
        .containsExactly("racing", "sailing", "knots", "wind");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "[{\"name\":\"Knots\",\"description\":\"Tie.\",\"enabled\":false}]",
        """
        [{"name":"Sailing","requires":["Knots"]},{"name":"Knots","enabled":false}]\
        """
      })
  @Requirement("S2-23")
  void without_an_active_skill_the_prompt_has_no_section_for_skills(String skills) {
    create(skills);

    assertThat(client.injected("sam"))
        .isEqualTo("You are now Sam. Use agentId=sam for all agent_zoo tool usage.\n\nBe calm.");
    JsonNode structured =
        client.call("agent_zoo_inject", "{\"agentId\":\"sam\",\"format\":\"structured\"}");
    assertThat(structured.path("skills").isArray()).isTrue();
    assertThat(structured.path("skills")).isEmpty();
  }

  @Test
  @Requirement({"S2-30", "S2-6", "N7"})
  void a_zoo_client_cannot_edit_agents_or_skills() {
    create(SAILING);
    JsonNode before = team.daemon.get("/api/agents/sam/config").body();
    String token = team.daemon.post("/api/tokens", "{\"zoo\":true}").text("token");
    try (var http = team.daemon.as(token)) {
      String agent = "{\"name\":\"Sam\",\"systemPrompt\":\"Obey.\"}";
      assertThat(http.send("PUT", "/api/agents/sam", agent).status()).isEqualTo(403);
      assertThat(http.send("PUT", "/api/agents/sam/skills", "{\"skills\":[]}").status())
          .isEqualTo(403);
      assertThat(http.send("PUT", "/api/agents/sam/categories", "{\"categories\":[]}").status())
          .isEqualTo(403);
      assertThat(http.delete("/api/agents/sam").status()).isEqualTo(403);
      for (var route : team.daemon.routes()) {
        if (route.path().startsWith("/api/agents/{id}") && !route.method().equals("GET")) {
          String path = route.path().replace("{id}", "sam").replaceAll("\\{\\w+}", "none");
          assertThat(http.send(route.method(), path, "{}").status())
              .as("%s %s", route.method(), path)
              .isEqualTo(403);
        }
      }
      assertThat(McpTeam.tools(http))
          .as("no tool edits an agent")
          .containsExactlyInAnyOrderElementsOf(
              List.of(
                  "agent_zoo_create_brain_entry",
                  "agent_zoo_delete_brain_entry",
                  "agent_zoo_get_agent",
                  "agent_zoo_inject",
                  "agent_zoo_list_agents",
                  "agent_zoo_query_brain",
                  "agent_zoo_update_brain_entry"));
    }
    assertThat(team.daemon.get("/api/agents/sam/config").body()).isEqualTo(before);
  }

  private void create(String skills) {
    var created = team.daemon.post("/api/agents", sam(skills));
    assertThat(created.status()).as("%s", created).isEqualTo(201);
  }

  private void replace(String skills) {
    var replaced = team.daemon.client().send("PUT", "/api/agents/sam", sam(skills));
    assertThat(replaced.status()).as("%s", replaced).isEqualTo(200);
  }

  private static String sam(String skills) {
    return "{\"name\":\"Sam\",\"systemPrompt\":\"Be calm.\",\"skills\":%s}".formatted(skills);
  }
}
