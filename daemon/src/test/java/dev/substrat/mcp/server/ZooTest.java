package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.AgentConfig;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tools of the zoo: list agents, inject one into a chat, search.
@OnOneDatabase
final class ZooTest {
  private static final String WIZARD =
      """
      {"name": "Code Wizard", "description": "writes code", "systemPrompt": "You are concise.\\n",
       "provider": {"name": "scripted", "model": "m-1", "command": ["sh", "-c", "true", "--key=s3cret"]},
       "skills": [
         {"name": "TypeScript Expert", "description": "Prefer strict types.", "category": "Languages"},
         {"name": "Haste", "description": "Hurry.", "enabled": false},
         {"name": "Test-Driven", "description": "Write tests first.\\nThen code.", "enabled": true}]}\
      """;

  private final McpTeam team;
  private final TestClient visitor;

  ZooTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
    assertThat(team.daemon.post("/api/agents", WIZARD).status()).isEqualTo(201);
    this.visitor = team.daemon.as(token());
  }

  private String token() {
    return team.daemon.post("/api/tokens", "{\"zoo\":true,\"label\":\"ide\"}").text("token");
  }

  @AfterEach
  void close() throws IOException {
    visitor.close();
    team.close();
  }

  @Test
  @Requirement("N7")
  void a_zoo_client_cannot_end_the_session_of_another() {
    String hello =
        McpTeam.request("initialize", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}");
    String session = visitor.post("/mcp", hello).header("Mcp-Session-Id");
    try (var other = team.daemon.as(token())) {
      other.send("DELETE", "/mcp", "", "Mcp-Session-Id", session);
    }

    String list = McpTeam.request("tools/list", "{}");
    assertThat(visitor.post("/mcp", list, "Mcp-Session-Id", session).status()).isEqualTo(200);
  }

  @Test
  @Requirement({"S2-11", "S2-12", "S2-17", "S2-18", "S2-25", "S2-26", "S2-37"})
  void the_read_only_tools_have_the_documented_schemas() {
    var tools =
        rpc("tools/list", "{}")
            .path("tools")
            .valueStream()
            .filter(tool -> !tool.path("name").asText().contains("brain"))
            .toList();

    assertThat(tools).hasSize(3);
    assertThat(tools.get(0).path("name").asText()).isEqualTo("agent_zoo_get_agent");
    assertThat(tools.get(1).path("name").asText()).isEqualTo("agent_zoo_inject");
    assertThat(tools.get(2).path("name").asText()).isEqualTo("agent_zoo_list_agents");
    JsonNode inject = tools.get(1).path("inputSchema");
    assertThat(inject.path("type").asText()).isEqualTo("object");
    assertThat(inject.path("required").toString()).isEqualTo("[\"agentId\"]");
    assertThat(inject.at("/properties/agentId/type").asText()).isEqualTo("string");
    assertThat(inject.at("/properties/format/enum").toString())
        .isEqualTo("[\"compiled\",\"structured\"]");
    assertThat(inject.at("/properties/format/default").asText()).isEqualTo("compiled");
    assertThat(tools.get(2).path("inputSchema").toString())
        .isEqualTo("{\"type\":\"object\",\"properties\":{},\"required\":[]}");
    assertThat(tools.get(0).at("/inputSchema/required").toString()).isEqualTo("[\"agentId\"]");
    JsonNode hello = rpc("initialize", "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{}}");
    assertThat(hello.path("capabilities").has("tools")).isTrue();
    assertThat(hello.path("instructions").asText()).contains("agent_zoo_inject");
  }

  @Test
  @Requirement({
    "S2-4", "S2-7", "S2-8", "S2-10", "S2-13", "S2-15", "S2-22", "S2-36", "S2-42", "C11"
  })
  void a_compiled_agent_is_one_text() {
    JsonNode compiled = call("agent_zoo_inject", "{\"agentId\":\"code-wizard\"}");

    assertThat(McpTeam.fields(compiled)).containsExactly("agentId", "agentName", "prompt");
    assertThat(compiled.path("agentId").asText()).isEqualTo("code-wizard");
    assertThat(compiled.path("agentName").asText()).isEqualTo("Code Wizard");
    assertThat(compiled.path("prompt").asText())
        .isEqualTo(
            """
            You are now Code Wizard. Use agentId=code-wizard for all agent_zoo tool usage.

            You are concise.

            ---

            ## Active Skills

            ### TypeScript Expert
            Prefer strict types.

            ### Test-Driven
            Write tests first.
            Then code.\
            """);
  }

  @Test
  @Requirement({"S2-14", "S2-21", "S2-38"})
  void a_structured_agent_is_returned_in_parts() {
    JsonNode parts =
        call("agent_zoo_inject", "{\"agentId\":\"code-wizard\",\"format\":\"structured\"}");

    assertThat(parts)
        .isEqualTo(
            Json.own(
                """
                {"agentId": "code-wizard", "agentName": "Code Wizard",
                 "systemPrompt": "You are concise.",
                 "skills": [
                   {"id": "typescript-expert", "name": "TypeScript Expert",
                    "description": "Prefer strict types."},
                   {"id": "test-driven", "name": "Test-Driven",
                    "description": "Write tests first.\\nThen code."}]}
                """));
  }

  @Test
  @Requirement({"S2-23", "S2-24", "C11"})
  void fields_that_an_agent_does_not_have_are_omitted() {
    create("{\"name\":\"Plain\",\"systemPrompt\":\"Be plain.\",\"skills\":[]}");
    create("{\"name\":\"Skilled\",\"systemPrompt\":\" \",\"skills\":[{\"name\":\"Cooking\"}]}");
    create("{\"name\":\"Bare\"}");

    String line = "You are now %s. Use agentId=%s for all agent_zoo tool usage.";
    assertThat(prompt("plain")).isEqualTo(line.formatted("Plain", "plain") + "\n\nBe plain.");
    assertThat(prompt("skilled"))
        .isEqualTo(line.formatted("Skilled", "skilled") + "\n\n## Active Skills\n\n### Cooking");
    JsonNode bare = call("agent_zoo_inject", "{\"agentId\":\"bare\"}");
    assertThat(bare.path("prompt").asText()).isEqualTo(line.formatted("Bare", "bare"));
    assertThat(bare.path("warning").asText()).isEqualTo("EMPTY_PROMPT");
  }

  @Test
  @Requirement({"S2-6", "S2-17", "S2-18", "S2-39", "S2-40", "C13"})
  void all_agents_are_listed_and_shown_without_secrets() {
    JsonNode list = call("agent_zoo_list_agents", "{}");
    assertThat(list.toString())
        .isEqualTo(
            """
            {"agents":[{"id":"mira","name":"mira"},{"id":"ada","name":"ada"},\
            {"id":"ben","name":"ben"},{"id":"code-wizard","name":"Code Wizard"}]}\
            """);

    String uuid = team.daemon.get("/api/agents/code-wizard").text("id");
    JsonNode shown = call("agent_zoo_get_agent", "{\"agentId\":\"%s\"}".formatted(uuid));
    assertThat(shown).isEqualTo(call("agent_zoo_get_agent", "{\"agentId\":\"code-wizard\"}"));
    assertThat(shown.path("id").asText()).isEqualTo("code-wizard");
    assertThat(shown.path("uuid").asText()).isEqualTo(uuid);
    assertThat(shown.path("systemPrompt").asText()).isEqualTo("You are concise.\n");
    assertThat(shown.at("/skills/1/enabled").asBoolean(true)).isFalse();
    assertThat(shown.at("/skills/0/category").asText()).isEqualTo("Languages");
    assertThat(shown.path("provider").toString())
        .isEqualTo(
            "{\"name\":\"scripted\",\"model\":\"m-1\",\"command\":[\"sh\",\"***\",\"***\",\"***\"]}");
    assertThat(shown.toString()).doesNotContain("s3cret");
    assertThat(call("agent_zoo_get_agent", "{\"agentId\":\"ada\"}").path("parent").asText())
        .isEqualTo("mira");
  }

  @Test
  @Requirement({"C24", "S2-18"})
  void the_whole_configuration_is_shown_and_literal_secrets_are_masked() {
    create(
        """
        {"name": "Whole", "provider": {"name": "external"}, "toolsets": ["team"],
         "categories": [{"name": "Languages", "colour": "sky"}], "contextRefs": ["docs/a.md"],
         "skills": [{"id": "ts-expert", "name": "TypeScript Expert", "category": "Languages"}],
         "middleware": ["repair", {"redact": {"keys": ["password"]}}],
         "workspace": {"sandbox": "off"}, "spaces": {"finalText": "post"}, "toolLoading": "all", "limits": {"maxTokensPerTurn": 9},
         "tools": [{"name": "look", "description": "Looks.", "executionType": "gateway",
           "inputSchema": {"type": "object", "properties": {"token": {"type": "string"}}, "required": ["token"]},
           "execution": {"url": "https://u:c4nary@a.test/x?api_key=c4nary&city=Oslo",
             "headers": {"Authorization": "Bearer c4nary", "Accept": "text/plain", "X-Team": "c4nary"},
             "queryParams": {"key": "c4nary", "q": "{{input.token}}"},
             "body": {"password": "c4nary", "tokens": ["c4nary"], "city": "Oslo"}}},
           {"name": "hook", "description": "Hooks.", "executionType": "external",
            "execution": {"webhookUrl": "https://hooks.slack.com/services/T/B/c4nary", "body": {"pin": 7171, "auth": "c4nary"}}},
           {"name": "sum", "description": "Sums.", "executionType": "internal", "execution": {"expression": "input.n + 'c4nary'"}},
           {"name": "draw", "description": "Draws.", "executionType": "gateway",
            "execution": {"provider": "openai", "apiKey": "c4nary"}}],
         "mcp": {"servers": [{"name": "files", "command": "npx", "args": ["--token", "c4nary"],
             "env": {"A": "c4nary"}},
           {"name": "web", "url": "https://a.test/mcp", "headers": {"X-Key": "c4nary"}},
           {"name": "db", "command": "npx", "args": ["postgresql://u:c4nary@db/x"]}]}}
        """);

    JsonNode shown = call("agent_zoo_get_agent", "{\"agentId\":\"whole\"}");

    assertThat(shown.toString()).doesNotContain("c4nary", "7171");
    assertThat(McpTeam.fields(shown))
        .as("every key of a configuration")
        .containsAll(
            Stream.of(AgentConfig.class.getRecordComponents())
                .map(RecordComponent::getName)
                .filter(key -> !Set.of("handle", "parent", "template").contains(key))
                .toList());
    JsonNode look = shown.at("/tools/0");
    assertThat(look.at("/execution/url").asText())
        .isEqualTo("https://***@a.test/***?api_key=***&city=***");
    assertThat(look.at("/execution/headers").toString())
        .isEqualTo("{\"Authorization\":\"***\",\"Accept\":\"text/plain\",\"X-Team\":\"***\"}");
    assertThat(look.at("/execution/queryParams").toString())
        .isEqualTo("{\"key\":\"***\",\"q\":\"{{input.token}}\"}");
    assertThat(look.at("/execution/body").toString())
        .isEqualTo("{\"password\":\"***\",\"tokens\":[\"***\"],\"city\":\"***\"}");
    assertThat(look.at("/inputSchema/required").toString()).isEqualTo("[\"token\"]");
    assertThat(shown.at("/mcp/servers/0/args").toString()).isEqualTo("[\"***\",\"***\"]");
    assertThat(shown.at("/skills/0/id").asText()).isEqualTo("ts-expert");
    assertThat(shown.at("/limits/maxTokensPerTurn").asInt()).isEqualTo(9);
  }

  @Test
  @Requirement({"C24", "S2-14"})
  void a_skill_keeps_its_configured_id() {
    create(
        """
        {"name": "Skilled", "skills": [
          {"name": "TS expert"}, {"id": "ts-expert", "name": "TypeScript Expert"},
          {"id": "b.2_C", "name": "Off", "enabled": false}]}
        """);
    JsonNode parts =
        call("agent_zoo_inject", "{\"agentId\":\"skilled\",\"format\":\"structured\"}");
    assertThat(parts.path("skills").findValuesAsText("id"))
        .containsExactly("ts-expert-2", "ts-expert");
    assertThat(team.daemon.get("/api/agents/skilled/skills").body().at("/skills/1/id").asText())
        .isEqualTo("ts-expert");
    for (String skills :
        List.of("{'id':'a','name':'A'},{'id':'a','name':'B'}", "{'id':'a b','name':'A'}")) {
      var refused =
          team.daemon.post(
              "/api/agents",
              "{\"name\":\"Twice\",\"skills\":[%s]}".formatted(skills.replace('\'', '"')));
      assertThat(refused.status()).isEqualTo(422);
      assertThat(refused.text("message")).contains("/id");
    }
  }

  @Test
  @Requirement("C24")
  void for_a_limited_token_other_agents_do_not_exist() {
    try (var ide =
        new ZooTestClient(
            team.daemon, ",\"agents\":[\"code-wizard\",\"ada\"],\"defaultAgent\":\"ada\"")) {
      assertThat(ide.call("agent_zoo_list_agents", "{}").toString())
          .isEqualTo(
              "{\"agents\":[{\"id\":\"ada\",\"name\":\"ada\"},{\"id\":\"code-wizard\",\"name\":\"Code Wizard\"}]}");
      assertThat(ide.injected("ada")).startsWith("You are now ada.");
      assertThat(ide.call("agent_zoo_get_agent", "{\"agentId\":\"ada\"}").has("parent"))
          .as("its parent mira is not visible")
          .isFalse();
      String uuid = team.daemon.get("/api/agents/mira").text("id");
      for (String hidden : List.of("mira", uuid)) {
        String unknown = "Agent with ID '%s' not found.".formatted(hidden);
        for (String tool : List.of("inject", "get_agent", "query_brain", "create_brain_entry")) {
          JsonNode failed =
              ide.call(
                  "agent_zoo_" + tool,
                  "{\"agentId\":\"%s\"%s}"
                      .formatted(
                          hidden,
                          tool.startsWith("create") ? ",\"title\":\"t\",\"content\":\"c\"" : ""));
          assertThat(failed.path("code").asText()).as(tool).isEqualTo("AGENT_NOT_FOUND");
          assertThat(failed.path("message").asText()).isEqualTo(unknown);
        }
        assertThat(
                ide.rpc("resources/read", "{\"uri\":\"agent-zoo://agents/" + hidden + "\"}")
                    .has("error"))
            .isTrue();
      }
      assertThat(ide.prompts().toString()).contains("agent_zoo_use_ada").doesNotContain("mira");
      assertThat(ide.rpc("resources/list", "{}").toString()).doesNotContain("mira", "ben");
      assertThat(ide.call("agent_zoo_query_brain", "{\"agentId\":\"ada\"}").path("entries"))
          .isEmpty();
    }
  }

  @Test
  @Requirement("C24")
  void an_agent_limit_belongs_to_the_token_and_its_successor() {
    String ada = team.daemon.get("/api/agents/ada").text("id");
    String id =
        team.daemon.post("/api/tokens", "{\"zoo\":true,\"agents\":[\"ada\",\"ada\"]}").text("id");
    var heir = team.daemon.post("/api/tokens/" + id + "/rotate", "{}").body();
    JsonNode listed = team.daemon.get("/api/tokens").body().path("tokens");
    assertThat(listed.get(listed.size() - 1).path("agents").toString())
        .isEqualTo("[\"" + ada + "\"]");
    try (var again = team.daemon.as(heir.path("token").asText())) {
      var answer =
          again.post(
              "/mcp",
              McpTeam.request(
                  "tools/call", "{\"name\":\"agent_zoo_list_agents\",\"arguments\":{}}"));
      assertThat(answer.body().at("/result/structuredContent/agents").findValuesAsText("id"))
          .containsExactly("ada");
    }
    for (String options :
        List.of(
            "{\"agents\":[\"ada\"]}",
            "{\"zoo\":true,\"agents\":[]}",
            "{\"zoo\":true,\"agents\":[\"ada\"],\"defaultAgent\":\"mira\"}")) {
      assertThat(team.daemon.post("/api/tokens", options).status()).as(options).isEqualTo(400);
    }
    assertThat(team.daemon.post("/api/tokens", "{\"zoo\":true,\"agents\":[\"no\"]}").status())
        .isEqualTo(404);
  }

  @Test
  @Requirement({"S2-15", "S2-16", "S2-28", "S2-29", "S2-37", "S2-41", "C12"})
  void mistakes_are_error_results_with_exactly_the_documented_keys() {
    String unknown =
        "{\"error\":true,\"code\":\"AGENT_NOT_FOUND\",\"message\":\"Agent with ID 'xyz' not"
            + " found.\"}";
    assertThat(failure("agent_zoo_inject", "{\"agentId\":\"xyz\"}")).isEqualTo(unknown);
    assertThat(failure("agent_zoo_inject", "{\"agentId\":\"xyz\",\"format\":\"poem\"}"))
        .as("the identity comes first")
        .isEqualTo(unknown);
    assertThat(failure("agent_zoo_get_agent", "{\"agentId\":\"xyz\"}")).isEqualTo(unknown);
    assertThat(failure("agent_zoo_inject", "{\"agentId\":\"ada\",\"format\":\"poem\"}"))
        .isEqualTo(
            "{\"error\":true,\"code\":\"INVALID_FORMAT\",\"message\":\"Unknown format 'poem'.\"}");
    assertThat(failure("agent_zoo_inject", "{}")).contains("INVALID_ARGUMENTS", "agentId");
    assertThat(failure("agent_zoo_get_agent", "{\"agentId\":7}")).contains("INVALID_ARGUMENTS");
    team.daemon.delete("/api/agents/ben");
    assertThat(failure("agent_zoo_inject", "{\"agentId\":\"ben\"}")).contains("AGENT_NOT_FOUND");
  }

  @Test
  @Requirement({"S2-19", "S2-20", "S2-27"})
  void a_chat_injects_the_current_configuration_of_one_agent_and_then_another() {
    String first = call("agent_zoo_list_agents", "{}").at("/agents/3/id").asText();
    assertThat(prompt(first)).contains("You are concise.");
    create("{\"name\":\"Documentation Pro\",\"systemPrompt\":\"Explain.\"}");
    String second = call("agent_zoo_list_agents", "{}").at("/agents/4/id").asText();
    assertThat(prompt(second)).startsWith("You are now Documentation Pro.").contains("Explain.");

    team.daemon
        .client()
        .send(
            "PUT",
            "/api/agents/" + first,
            "{\"name\":\"Code Wizard\",\"systemPrompt\":\"You ramble.\"}");

    assertThat(prompt(first)).endsWith("You ramble.");
  }

  @Test
  @Requirement({"N7", "S2-6", "S2-30"})
  void a_zoo_client_has_only_the_zoo_tools() {
    for (String path : new String[] {"/api/status", "/api/agents", "/api/tokens", "/metrics"}) {
      assertThat(visitor.get(path).status()).as(path).isEqualTo(403);
    }
    assertThat(visitor.post("/api/agents", "{\"name\":\"x\"}").status()).isEqualTo(403);
    assertThat(visitor.post("/api/tokens", "{\"zoo\":true}").status()).isEqualTo(403);
    assertThat(failure("send_message", "{\"recipient\":\"ada\",\"text\":\"x\"}"))
        .contains("UNKNOWN_TOOL");
    assertThat(failure("check_inbox", "{}")).contains("UNKNOWN_TOOL");
    assertThat(rpc("resources/list", "{}").path("resources"))
        .allMatch(one -> one.path("uri").asText().startsWith("agent-zoo://agents/"));
    assertThat(rpc("prompts/list", "{}").path("prompts"))
        .allMatch(one -> one.path("name").asText().startsWith("agent_zoo_use_"));
    assertThat(error("resources/read", "{\"uri\":\"substrat://inbox\"}")).isNotZero();
    assertThat(team.daemon.post("/api/agents/ada/tokens", "{\"zoo\":true}").status())
        .as("a token is for an agent or a zoo client, not both")
        .isEqualTo(400);
  }

  @Test
  void calls_of_a_zoo_client_change_nothing_in_the_database() throws Exception {
    var before = DatabaseContents.of(team.place());
    var told = DatabaseContents.told(team.place());

    call("agent_zoo_inject", "{\"agentId\":\"ada\"}");
    call("agent_zoo_list_agents", "{}");
    call("agent_zoo_get_agent", "{\"agentId\":\"ada\"}");
    failure("agent_zoo_inject", "{\"agentId\":\"nobody\"}");

    assertThat(DatabaseContents.of(team.place())).isEqualTo(before);
    assertThat(DatabaseContents.told(team.place())).isEqualTo(told);
  }

  @Test
  @Requirement("N7")
  void a_zoo_token_is_listed_rotated_and_revoked_like_any_other() {
    JsonNode listed = team.daemon.get("/api/tokens").body().path("tokens");
    JsonNode own = listed.get(listed.size() - 1);
    assertThat(own.path("principal").asText()).isEqualTo("zoo");
    assertThat(own.path("label").asText()).isEqualTo("ide");

    var rotated =
        team.daemon.post("/api/tokens/" + own.path("id").asText() + "/rotate", "{}").body();
    assertThat(visitor.post("/mcp", McpTeam.request("tools/list", "{}")).status()).isEqualTo(401);
    try (var again = team.daemon.as(rotated.path("token").asText())) {
      assertThat(McpTeam.tools(again)).hasSize(7);
      team.daemon.delete("/api/tokens/" + rotated.path("id").asText());
      assertThat(again.post("/mcp", McpTeam.request("tools/list", "{}")).status()).isEqualTo(401);
    }
  }

  private void create(String json) {
    var made = team.daemon.post("/api/agents", json);
    assertThat(made.status()).as("%s", made).isEqualTo(201);
  }

  private String prompt(String agent) {
    return call("agent_zoo_inject", "{\"agentId\":\"" + agent + "\"}").path("prompt").asText();
  }

  private JsonNode call(String tool, String arguments) {
    JsonNode result = result(tool, arguments);
    assertThat(result.path("isError").asBoolean()).as("%s", result).isFalse();
    return result.path("structuredContent");
  }

  private String failure(String tool, String arguments) {
    JsonNode result = result(tool, arguments);
    assertThat(result.path("isError").asBoolean()).as("%s", result).isTrue();
    assertThat(result.path("content").get(0).path("text").asText())
        .isEqualTo(result.path("structuredContent").toString());
    return result.path("structuredContent").toString();
  }

  private JsonNode result(String tool, String arguments) {
    return rpc("tools/call", "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments));
  }

  private JsonNode rpc(String method, String parameters) {
    var answer = visitor.post("/mcp", McpTeam.request(method, parameters));
    assertThat(answer.status()).isEqualTo(200);
    return answer.body().path("result");
  }

  private int error(String method, String parameters) {
    return visitor
        .post("/mcp", McpTeam.request(method, parameters))
        .body()
        .at("/error/code")
        .asInt();
  }
}
