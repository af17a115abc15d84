package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.FakeMcpServer;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Examples of the source documents, verbatim: their configurations are accepted, their calls work,
/// and results have exactly their keys. Only the URLs point to a server of the test.
@OnEveryDatabase
final class SourceExamplesTest {
  private static final String PNG =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

  private final TestDatabase place;
  private final FakeService service = new FakeService();
  private final TestDaemon daemon;
  private final List<TestClient> clients = new ArrayList<>();

  SourceExamplesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon =
        TestDaemon.reaching(
            place,
            Map.of("API_KEY", "api-1", "SERVICE_KEY", "service-1", "GITHUB_TOKEN", "github-1"));
  }

  @AfterEach
  void close() throws IOException {
    clients.forEach(TestClient::close);
    daemon.close();
    service.close();
    place.close();
  }

  /// An external agent with this configuration besides its name; the reply to the configuration.
  private JsonNode configure(String name, String more) {
    String json =
        "{\"name\":\"%s\",\"provider\":{\"name\":\"external\"}%s}"
            .formatted(name, more)
            .replaceAll("https://[a-z.-]+", service.url());
    var created = daemon.post("/api/agents", json);
    assertThat(created.status()).as("%s", created).isEqualTo(201);
    return created.body();
  }

  private TestClient client(String agent) {
    return open(daemon.post("/api/agents/" + agent + "/tokens", "{}").text("token"));
  }

  private TestClient zoo() {
    return open(daemon.post("/api/tokens", "{\"zoo\":true}").text("token"));
  }

  private TestClient open(String token) {
    TestClient client = daemon.as(token);
    clients.add(client);
    return client;
  }

  private static JsonNode rpc(TestClient client, String method, String parameters) {
    String request =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
            .formatted(method, parameters);
    return client.post("/mcp", request).body().path("result");
  }

  private static JsonNode call(TestClient client, String tool, String arguments) {
    return rpc(
            client, "tools/call", "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments))
        .path("structuredContent");
  }

  private static JsonNode schema(TestClient client, String tool) {
    return rpc(client, "tools/list", "{}")
        .path("tools")
        .valueStream()
        .filter(card -> card.path("name").asText().equals(tool))
        .findFirst()
        .orElseThrow()
        .path("inputSchema");
  }

  private static List<String> keys(JsonNode object) {
    return object.propertyStream().map(Map.Entry::getKey).toList();
  }

  /// Mira with the children ada and ben.
  private TestClient team() {
    configure("mira", "");
    configure("ada", ",\"parent\":\"mira\"");
    configure("ben", ",\"parent\":\"mira\"");
    return client("mira");
  }

  @Test
  @Requirement({"S0-10", "S0-13", "S0-17", "S0-18", "S0-22"})
  void send_message_and_the_reply_have_the_specified_keys() {
    TestClient mira = team();
    JsonNode sent =
        call(mira, "send_message", "{\"recipient\":\"ada\",\"text\":\"ready?\",\"sync\":true}");
    String id = sent.path("message_id").asText();
    assertThat(sent.path("hint").asText()).contains("check_inbox");
    assertThat(withoutHint(sent))
        .isEqualTo(
            Json.own(
                "{\"status\":\"sent\",\"message_id\":\"%s\",\"waiting_for_reply\":true}"
                    .formatted(id)));

    TestClient ada = client("ada");
    JsonNode inbox = call(ada, "check_inbox", "{}");
    assertThat(keys(inbox)).contains("messages");
    assertThat(inbox.at("/messages/0/from").asText()).isEqualTo("mira");
    assertThat(inbox.at("/messages/0/text").asText()).isEqualTo("ready?");
    assertThat(inbox.at("/messages/0/message_id").asText()).isEqualTo(id);
    call(ada, "send_message", "{\"recipient\":\"mira\",\"text\":\"yes\",\"sync\":false}");

    assertThat(call(mira, "check_inbox", "{}").at("/messages/0/text").asText())
        .isEqualTo("Reply from ada (to message %s):\nyes".formatted(id));
  }

  @Test
  @Requirement({"S0-19", "S0-20", "S1-15"})
  void broadcast() {
    team();
    JsonNode sent = call(client("ada"), "broadcast", "{\"text\":\"all aboard\"}");
    assertThat(keys(sent)).containsExactly("status", "message_id", "recipient_count");
    assertThat(sent.path("status").asText()).isEqualTo("sent");
    assertThat(sent.path("recipient_count").asInt()).isEqualTo(1);
  }

  @Test
  @Requirement({"S0-23", "S0-25", "S1-17"})
  void spawn_agent_and_inspect_agent_have_the_specified_keys() {
    TestClient mira = team();
    JsonNode spawned =
        call(
            mira,
            "spawn_agent",
            """
            {"name":"kim","instructions":"count","role":"worker","workspace_subdir":null}
            """);
    assertThat(keys(spawned)).containsExactly("status", "agent_id", "name", "hint");
    assertThat(spawned.path("status").asText()).isEqualTo("created");
    assertThat(spawned.path("name").asText()).isEqualTo("kim");

    JsonNode seen = call(mira, "inspect_agent", "{\"name\":\"ada\"}");
    assertThat(keys(seen)).contains("state", "recent_messages");
    assertThat(seen.path("state").asText()).isIn("idle", "busy", "waiting");
    assertThat(seen.path("recent_messages").isArray()).isTrue();
  }

  private void wizards() {
    configure(
        "Code Wizard",
        """
        ,"handle":"agent-1","systemPrompt":"You are a concise coding assistant...","skills":[
          {"id":"ts-expert","name":"TypeScript Expert","description":"Prefer strict types...","enabled":true},
          {"id":"off","name":"Off","description":"Never.","enabled":false},
          {"id":"test-driven","name":"Test-Driven","description":"Write tests first..."}]
        """);
    configure("Documentation Pro", ",\"handle\":\"agent-2\"");
  }

  @Test
  @Requirement({"S2-12", "S2-17", "S2-18"})
  void zoo_tools_have_the_specified_schemas() {
    TestClient ide = zoo();
    JsonNode inject = schema(ide, "agent_zoo_inject").deepCopy();
    ((ObjectNode) inject.at("/properties/format")).remove("default");
    assertThat(inject)
        .isEqualTo(
            Json.own(
                """
                {"type": "object", "properties": {
                    "agentId": {"type": "string", "description": "Agent ID to inject."},
                    "format": {"type": "string", "enum": ["compiled", "structured"],
                      "description": "Output format. 'compiled' = single string prompt. 'structured' = \
                JSON with systemPrompt + skills separate. Defaults to 'compiled'."}},
                  "required": ["agentId"]}
                """));
    assertThat(schema(ide, "agent_zoo_list_agents"))
        .isEqualTo(Json.own("{\"type\":\"object\",\"properties\":{},\"required\":[]}"));
    assertThat(schema(ide, "agent_zoo_get_agent"))
        .isEqualTo(
            Json.own(
                """
                {"type": "object", "properties": {
                    "agentId": {"type": "string", "description": "Agent ID to retrieve."}},
                  "required": ["agentId"]}
                """));
  }

  @Test
  @Requirement({"S2-13", "S2-14", "S2-17", "S2-18", "S2-28"})
  void zoo_results_have_the_specified_keys() {
    wizards();
    TestClient ide = zoo();
    assertThat(call(ide, "agent_zoo_list_agents", "{}"))
        .isEqualTo(
            Json.own(
                """
                {"agents": [{"id": "agent-1", "name": "Code Wizard"},
                  {"id": "agent-2", "name": "Documentation Pro"}]}
                """));
    JsonNode compiled = call(ide, "agent_zoo_inject", "{\"agentId\":\"agent-1\"}");
    assertThat(keys(compiled)).containsExactly("agentId", "agentName", "prompt");
    assertThat(compiled.path("prompt").asText())
        .startsWith("You are now Code Wizard. Use agentId=agent-1 for all agent_zoo tool usage.")
        .contains("### TypeScript Expert\nPrefer strict types...");
    assertThat(call(ide, "agent_zoo_inject", "{\"agentId\":\"agent-1\",\"format\":\"structured\"}"))
        .isEqualTo(
            Json.own(
                """
                {"agentId": "agent-1", "agentName": "Code Wizard",
                  "systemPrompt": "You are a concise coding assistant...",
                  "skills": [
                    {"id": "ts-expert", "name": "TypeScript Expert", "description": "Prefer strict types..."},
                    {"id": "test-driven", "name": "Test-Driven", "description": "Write tests first..."}]}
                """));
    JsonNode whole = call(ide, "agent_zoo_get_agent", "{\"agentId\":\"agent-1\"}");
    assertThat(keys(whole))
        .contains("id", "name", "systemPrompt", "skills", "toolsets", "provider");
    assertThat(call(ide, "agent_zoo_inject", "{\"agentId\":\"xyz\"}"))
        .isEqualTo(
            Json.own(
                """
                {"error": true, "code": "AGENT_NOT_FOUND", "message": "Agent with ID 'xyz' not found."}
                """));
  }

  private static String tool(String name, String type, String execution) {
    return ",\"tools\":[{\"name\":\"%s\",\"executionType\":\"%s\",\"execution\":%s}]"
        .formatted(name, type, execution);
  }

  @Test
  @Requirement({"S3-10", "S3-15", "C21"})
  void a_tool_with_its_visibility_is_accepted() {
    JsonNode created =
        configure(
            "desk",
            """
            ,"tools":[{
              "name": "fetchWeather",
              "executionType": "gateway",
              "visible": true,
              "execution": {
                "url": "https://api.weather.com/current",
                "method": "GET"
              }
            }]
            """);
    assertThat(created.at("/warnings/0").asText())
        .startsWith("/tools/0/description of fetchWeather is missing");
    service.answers("/current", 200, "application/json", "{\"sky\":\"grey\"}");
    assertThat(call(client("desk"), "fetchWeather", "{}"))
        .isEqualTo(Json.own("{\"sky\":\"grey\"}"));
  }

  @Test
  @Requirement("S3-16")
  void a_gateway_tool_calls_a_url() {
    configure(
        "desk",
        tool(
            "data",
            "gateway",
            """
            {
              "url": "https://api.example.com/data",
              "method": "POST",
              "headers": { "Authorization": "Bearer ${env.API_KEY}" },
              "body": { "query": "{{input.query}}" },
              "timeout": 30000
            }
            """));
    service.answers("/data", 200, "application/json", "[1]");
    assertThat(call(client("desk"), "data", "{\"query\":\"boats\"}").toString())
        .isEqualTo("{\"value\":[1]}");
    assertThat(service.last().headers()).containsEntry("authorization", "Bearer api-1");
    assertThat(service.last().body()).isEqualTo("{\"query\":\"boats\"}");
  }

  @Test
  @Requirement("S3-17")
  void a_gateway_tool_calls_a_sub_agent() {
    configure(
        "desk",
        tool(
            "think",
            "gateway",
            """
            {
              "agentConfig": {"name": "Sub", "provider": {"name": "scripted", "playbook": [{"do": [{"say": "42"}]}]}},
              "includeContext": true,
              "timeout": 60000
            }
            """));
    assertThat(call(client("desk"), "think", "{}").toString()).isEqualTo("{\"text\":\"42\"}");
  }

  @Test
  @Requirement("S3-18")
  void a_gateway_tool_creates_an_image() {
    String execution =
        """
        {
          "provider": "dall-e",
          "model": "dall-e-3",
          "size": "1024x1024",
          "quality": "hd"
        }
        """;
    assertThat(configure("bare", tool("draw", "gateway", execution)).path("warnings").toString())
        .contains("/tools/0/execution has no API key for dall-e: set OPENAI_API_KEY");
    assertThat(call(client("bare"), "draw", "{\"prompt\":\"a boat\"}").path("code").asText())
        .isEqualTo("INVALID_CONFIG");

    String here =
        execution.replace("\"model\"", "\"baseUrl\": \"" + service.url() + "/v1\", \"model\"");
    configure("desk", tool("draw", "gateway", here));
    service.answers(
        "/v1/images/generations",
        200,
        "application/json",
        "{\"data\":[{\"b64_json\":\"" + PNG + "\"}]}");
    JsonNode image = call(client("desk"), "draw", "{\"prompt\":\"a boat\"}");
    assertThat(keys(image)).containsExactly("attachmentId", "url", "mediaType", "bytes");
    assertThat(Json.own(service.last().body()).path("quality").asText()).isEqualTo("hd");
  }

  @Test
  @Requirement("S3-19")
  void an_external_tool_calls_a_webhook() {
    configure(
        "desk",
        tool(
            "process",
            "external",
            """
            {
              "webhookUrl": "https://my-service.com/tools/process",
              "method": "POST",
              "headers": { "Authorization": "Bearer ${env.SERVICE_KEY}" },
              "timeout": 30000
            }
            """));
    service.answers("/tools/process", 200, "application/json", "{\"done\":true}");
    assertThat(call(client("desk"), "process", "{\"n\":1}").toString())
        .isEqualTo("{\"done\":true}");
    assertThat(service.last().headers()).containsEntry("authorization", "Bearer service-1");
    assertThat(service.last().body()).isEqualTo("{\"n\":1}");
  }

  @Test
  @Requirement({"S3-20", "S3-35", "S3-37", "S3-39", "S3-41"})
  void a_space_tool_is_answered_later() {
    configure(
        "desk",
        tool(
            "confirmAction",
            "space",
            """
            {
              "display": {
                "customUI": "confirmAction"
              }
            }
            """));
    TestClient desk = client("desk");
    JsonNode asked = call(desk, "confirmAction", "{\"question\":\"Confirm booking?\"}");
    assertThat(keys(asked)).containsExactly("status", "pendingToolCallId", "hint");
    assertThat(asked.path("status").asText()).isEqualTo("pending");
    String id = asked.path("pendingToolCallId").asText();

    JsonNode waiting = daemon.get("/api/pending").body().at("/pending/0");
    assertThat(keys(waiting)).contains("callId", "runId", "agentId", "tool", "args", "status");
    assertThat(waiting.at("/form/component").asText()).isEqualTo("confirmAction");
    String results = "/api/runs/" + waiting.path("runId").asText() + "/tool-results";
    String answer = "{\"callId\":\"%s\",\"result\":{\"confirmed\":true}}".formatted(id);
    assertThat(daemon.post(results, answer).status()).isBetween(200, 204);
    assertThat(daemon.post(results, answer).status()).isEqualTo(409);

    assertThat(daemon.get("/api/pending/" + id).text("status")).isEqualTo("resolved");
    assertThat(call(desk, "check_inbox", "{}").at("/messages/0/text").asText())
        .startsWith("[Tool Result: confirmAction] (callId: %s) {\"confirmed\":true}".formatted(id));
  }

  @Test
  @Requirement({"S3-49", "S3-51"})
  void a_remote_mcp_server_works() {
    try (var server = FakeMcpServer.modern()) {
      server.offers(
          FakeMcpServer.tool("list_prs", "Lists."),
          FakeMcpServer.tool("create_issue", "Creates."),
          FakeMcpServer.tool("delete_repo", "Deletes."));
      var created =
          daemon.post(
              "/api/agents",
              """
              {"name": "desk", "provider": {"name": "external"},
                "mcp": {
                  "servers": [
                    {
                      "name": "github-tools",
                      "url": "https://mcp.github.com",
                      "transport": "http",
                      "headers": { "Authorization": "Bearer ${env.GITHUB_TOKEN}" },
                      "allowedTools": ["list_prs", "create_issue"]
                    }
                  ]
                }
              }
              """
                  .replace("https://mcp.github.com", server.url()));
      assertThat(created.status()).as("%s", created).isEqualTo(201);
      TestClient desk = client("desk");
      assertThat(call(desk, "list_prs", "{}").path("text").asText()).isEqualTo("it rains");
      assertThat(call(desk, "delete_repo", "{}").path("code").asText()).isEqualTo("UNKNOWN_TOOL");
      assertThat(server.heard().getLast().headers())
          .containsEntry("authorization", "Bearer github-1");
    }
  }

  @Test
  @Requirement({
    "S3-23", "S3-24", "S3-25", "S3-26", "S3-27", "S3-28", "S3-29", "S3-30", "S3-31", "S3-32"
  })
  void every_agent_has_the_specified_tools() {
    configure("desk", "");
    assertThat(rpc(client("desk"), "tools/list", "{}").path("tools"))
        .extracting(card -> card.path("name").asText())
        .contains(
            "enter_space",
            "send_message",
            "read_messages",
            "set_goals",
            "delete_goals",
            "set_memories",
            "delete_memories",
            "set_plans",
            "delete_plans",
            "get_plans");
  }

  @Test
  @Requirement({"S4-1", "S4-3", "S4-7", "S4-9", "S4-11", "S4-14", "S4-17"})
  void the_channel_and_memory_tools_work_as_specified() {
    configure("jim", ",\"toolsets\":[\"channels\",\"memory\"]");
    daemon.post(
        "/api/spaces",
        "{\"id\":\"general\",\"name\":\"General\",\"kind\":\"public\",\"members\":[\"jim\"]}");
    TestClient jim = client("jim");
    JsonNode said = call(jim, "send_message", "{\"channelId\":\"general\",\"text\":\"hi\"}");
    assertThat(keys(said)).containsExactly("messageId");
    assertThat(
            call(
                jim,
                "react_to_message",
                "{\"messageId\":\"%s\",\"emoji\":\"👍\"}"
                    .formatted(said.path("messageId").asText())))
        .isEqualTo(Json.own("{\"success\":true}"));
    assertThat(call(jim, "do_nothing", "{}")).isEqualTo(Json.own("{\"action\":\"none\"}"));
    assertThat(call(jim, "update_memory", "{\"label\":\"mood\",\"content\":\"calm\"}"))
        .isEqualTo(Json.own("{\"success\":true}"));
    JsonNode stored =
        call(jim, "store_memory", "{\"content\":\"Pam likes teapots\",\"tags\":[\"pam\"]}");
    assertThat(keys(stored)).containsExactly("passageId");
    JsonNode found = call(jim, "search_memory", "{\"query\":\"teapots\"}");
    assertThat(keys(found)).containsExactly("passages");
    assertThat(keys(found.at("/passages/0"))).contains("id", "content", "tags", "createdAt");
    assertThat(found.at("/passages/0/id")).isEqualTo(stored.path("passageId"));
  }

  private static JsonNode withoutHint(JsonNode result) {
    ObjectNode copy = Json.object();
    result.properties().forEach(entry -> copy.set(entry.getKey(), entry.getValue()));
    copy.remove("hint");
    return copy;
  }
}
