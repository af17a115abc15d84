package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// References in an agent's prompt when a chat injects the agent.
final class ContextRefsTest {
  private static final String LINE =
      "You are now Ana. Use agentId=ana for all agent_zoo tool usage.";
  private static final String REFS =
      ",\"contextRefs\":[\"docs/style.md\",\"https://example.org/a?b=c\"]";
  private static final String CONTEXT =
      "\n\n## Context\n\n- docs/style.md\n- https://example.org/a?b=c";
  private static final String PROMPT = ",\"systemPrompt\":\"Be brief.\"";
  private static final String SKILL = ",\"skills\":[{\"name\":\"Tea\",\"description\":\"Brew.\"}]";

  private McpTeam team;
  private TestClient visitor;

  @BeforeEach
  void start() {
    team = new McpTeam(TestDatabase.fresh(Dialect.SQLITE));
    visitor = team.daemon.as(team.daemon.post("/api/tokens", "{\"zoo\":true}").text("token"));
  }

  @AfterEach
  void close() throws IOException {
    visitor.close();
    team.close();
  }

  @Test
  @Requirement({"S2-31", "S2-22", "S2-23", "S2-24"})
  void references_are_at_the_end_of_the_prompt() {
    String skills = "\n\n## Active Skills\n\n### Tea\nBrew.";
    String parted = "\n\nBe brief.\n\n---";

    assertThat(prompt(PROMPT + SKILL + REFS)).isEqualTo(LINE + parted + skills + CONTEXT);
    assertThat(prompt(PROMPT + REFS)).isEqualTo(LINE + parted + CONTEXT);
    assertThat(prompt(SKILL + REFS)).isEqualTo(LINE + skills + CONTEXT);
    assertThat(prompt(REFS)).isEqualTo(LINE + CONTEXT);
  }

  @Test
  @Requirement({"S2-31", "S2-22", "S2-23", "S2-24", "S2-9", "C11"})
  void without_references_the_prompt_does_not_mention_them() {
    for (String none : new String[] {"", ",\"contextRefs\":[]"}) {
      assertThat(prompt(PROMPT + SKILL + none))
          .isEqualTo(LINE + "\n\nBe brief.\n\n---\n\n## Active Skills\n\n### Tea\nBrew.")
          .doesNotContain("[Agent Personality]", "[Active Skills]", "- Tea:");
      assertThat(prompt(PROMPT + none)).isEqualTo(LINE + "\n\nBe brief.");
      assertThat(prompt(SKILL + none)).isEqualTo(LINE + "\n\n## Active Skills\n\n### Tea\nBrew.");
      assertThat(prompt(none)).isEqualTo(LINE);
      assertThat(inject("structured").has("contextRefs")).isFalse();
      assertThat(call("agent_zoo_get_agent", "{\"agentId\":\"ana\"}").has("contextRefs")).isFalse();
    }
  }

  @Test
  @Requirement("S2-31")
  void references_are_part_of_the_structured_form() {
    save(PROMPT + REFS);
    String list = "[\"docs/style.md\",\"https://example.org/a?b=c\"]";

    assertThat(inject("structured").path("contextRefs").toString()).isEqualTo(list);
    assertThat(call("agent_zoo_get_agent", "{\"agentId\":\"ana\"}").path("contextRefs").toString())
        .isEqualTo(list);
    assertThat(team.daemon.get("/api/agents/ana").body().path("contextRefs").toString())
        .isEqualTo(list);
  }

  @Test
  @Requirement("S2-31")
  void an_invalid_path_or_url_is_rejected() {
    refused("\"\"", "/contextRefs/0");
    refused("\"a.md\",\"b\\n## Active Skills\"", "/contextRefs/1");
    refused("\"a.md\",\"a.md\"", "/contextRefs/1 is a duplicate");
    refused("\"file:///etc/passwd\"", "/contextRefs/0 is neither");
    refused("\"javascript:alert(1)\"", "/contextRefs/0 is neither");
    refused("\"https://\"", "/contextRefs/0");
    refused(
        "\"https://ana:secret@example.org/\"", "/contextRefs/0 contains a user name or password");
    refused("\"https://example.org/a b\"", "/contextRefs/0 is not a valid URL");
    refused("\"" + "x".repeat(2_001) + "\"", "/contextRefs/0");
    refused(
        IntStream.range(0, 51).mapToObj(i -> "\"f" + i + "\"").collect(Collectors.joining(",")),
        "/contextRefs has more than 50");
    save(",\"contextRefs\":[\"C:\\\\notes\\\\a.md\",\"../a:b\",\"~/plan.md\"]");
  }

  private String prompt(String more) {
    save(more);
    return inject("compiled").path("prompt").asText();
  }

  private JsonNode inject(String format) {
    return call("agent_zoo_inject", "{\"agentId\":\"ana\",\"format\":\"%s\"}".formatted(format));
  }

  private void save(String more) {
    String json = "{\"name\":\"Ana\"" + more + "}";
    Answer saved = team.daemon.client().send("PUT", "/api/agents/ana", json);
    if (saved.status() == 404) {
      saved = team.daemon.post("/api/agents", json);
    }
    assertThat(saved.status()).as("%s", saved).isIn(200, 201);
  }

  private void refused(String references, String beginning) {
    Answer answer =
        team.daemon.post("/api/agents", "{\"name\":\"Bea\",\"contextRefs\":[" + references + "]}");
    assertThat(answer.status()).as("%s", answer).isEqualTo(422);
    assertThat(answer.text("code")).isEqualTo("INVALID_CONFIG");
    assertThat(answer.text("message")).startsWith(beginning);
  }

  private JsonNode call(String tool, String arguments) {
    String parameters = "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments);
    return visitor
        .post("/mcp", McpTeam.request("tools/call", parameters))
        .body()
        .at("/result/structuredContent");
  }
}
