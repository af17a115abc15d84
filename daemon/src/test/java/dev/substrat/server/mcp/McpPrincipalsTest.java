package dev.substrat.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Database;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One MCP endpoint for all principals: each agent sees only its own tools, messages and tasks, by
/// its token.
@OnOneDatabase
@Timeout(300)
final class McpPrincipalsTest {
  private final TestDatabase place;
  private final TestDaemon daemon;
  private final TestClient ada;
  private final TestClient ben;
  private final TestClient eve;

  /// Ada and ben report to mira; eve is of another team.
  McpPrincipalsTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    create("{\"name\":\"mira\",\"provider\":{\"name\":\"external\"}}");
    this.ada = member("ada", "\"parent\":\"mira\",\"systemPrompt\":\"You keep the logbook.\",");
    this.ben = member("ben", "\"parent\":\"mira\",");
    this.eve = member("eve", "");
  }

  private void create(String json) {
    var created = daemon.post("/api/agents", json);
    assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
  }

  private TestClient member(String name, String more) {
    create("{\"name\":\"%s\",%s\"provider\":{\"name\":\"external\"}}".formatted(name, more));
    return daemon.as(daemon.post("/api/agents/" + name + "/tokens", "{}").text("token"));
  }

  @AfterEach
  void close() throws IOException {
    ada.close();
    ben.close();
    eve.close();
    daemon.close();
    place.close();
  }

  @Test
  @Requirement({"S0-4", "S0-5"})
  void one_endpoint_serves_all_principals_by_their_credential() {
    for (TestClient one : List.of(ada, ben)) {
      call(one, "send_message", "{\"recipient\":\"mira\",\"text\":\"it is me\",\"sync\":false}");
    }
    TestClient mira = daemon.as(daemon.post("/api/agents/mira/tokens", "{}").text("token"));
    JsonNode messages = call(mira, "check_inbox", "{}").path("messages");
    mira.close();

    assertThat(messages).extracting(one -> one.path("from").asText()).containsExactly("ada", "ben");
    assertThat(call(eve, "check_inbox", "{}").path("messages")).isEmpty();
    assertThat(daemon.as("substrat_x_y").post("/mcp", request("tools/list", "{}")).status())
        .isEqualTo(401);
  }

  @Test
  void message_resources_are_visible_only_to_the_recipient_and_stay_unread() {
    daemon.post("/api/agents/ada/messages", "{\"text\":\"for ada\"}");

    assertThat(read(ada, "substrat://inbox").toString()).contains("\"unread\":1", "for ada");
    assertThat(read(ada, "substrat://inbox").toString()).contains("\"unread\":1");
    assertThat(read(ben, "substrat://inbox").toString()).contains("\"unread\":0");
    assertThat(call(ada, "check_inbox", "{}").path("messages")).hasSize(1);
    assertThat(read(ada, "substrat://inbox").path("messages")).isEmpty();
  }

  @Test
  void an_agent_sees_only_its_neighbours() {
    JsonNode team = read(ada, "substrat://team");
    assertThat(team.at("/you/name").asText()).isEqualTo("ada");
    assertThat(team.path("near"))
        .extracting(one -> one.path("name").asText() + " " + one.path("relation").asText())
        .containsExactlyInAnyOrder("mira parent", "ben sibling");

    assertThat(read(ada, "substrat://team/ben").path("relation").asText()).isEqualTo("sibling");
    assertThat(missing(ada, "substrat://team/eve")).isEqualTo(-32002);
    assertThat(missing(eve, "substrat://team/ada")).isEqualTo(-32002);
    assertThat(missing(ada, "substrat://team/ada")).isEqualTo(-32002);
    assertThat(missing(ada, "substrat://team/")).isEqualTo(-32002);
  }

  @Test
  void prompts_describe_the_calling_agent() {
    assertThat(prompt(ada, "be_this_agent", "{}")).contains("ada", "You keep the logbook.", "ben");
    assertThat(prompt(eve, "be_this_agent", "{}")).contains("eve").doesNotContain("logbook");
    assertThat(prompt(ada, "read_mail", "{}")).contains("check_inbox");
    assertThat(prompt(ada, "ask_teammate", "{\"recipient\":\"ben\",\"question\":\"Done?\"}"))
        .contains("Ask ben", "Done?");
  }

  @Test
  void names_of_neighbours_are_completed() {
    assertThat(complete(ada, "")).containsExactly("ben", "mira");
    assertThat(complete(ada, "B")).containsExactly("ben");
    assertThat(complete(ada, "e")).isEmpty();
    assertThat(complete(eve, "")).isEmpty();
  }

  /// Put there as a tool that takes long would do it.
  @Test
  void a_task_is_visible_only_to_its_owner() {
    Database database = place.open();
    try (var events = new EventLog(database, InstantSource.system())) {
      var calls = new PendingCalls(database, events, InstantSource.system());
      var questions = Json.object();
      questions.putObject("name").put("method", "elicitation/create").putObject("params");
      var opening =
          new PendingCalls.NewPendingCall(
              daemon.get("/api/agents/ada").text("id"),
              null,
              "compute",
              Json.object(),
              questions,
              Duration.ofHours(1));
      String task = database.transact(tx -> calls.open(tx, opening)).id();

      for (String method : List.of("tasks/get", "tasks/update", "tasks/cancel")) {
        assertThat(task(ben, method, task).at("/error/code").asInt()).isEqualTo(-32602);
      }
      assertThat(task(ada, "tasks/get", task).at("/result/status").asText())
          .isEqualTo("input_required");
      assertThat(task(ada, "tasks/update", task).has("result")).isTrue();
      assertThat(task(ada, "tasks/get", task).at("/result/status").asText()).isEqualTo("working");
      assertThat(task(ada, "tasks/cancel", task).has("result")).isTrue();
      assertThat(calls.find(opening.owner(), task))
          .get()
          .extracting(PendingCall::status)
          .isEqualTo(PendingCall.PendingCallStatus.CANCELLED);
    }
  }

  @Test
  @Requirement({"S3-40", "N4"})
  void a_question_can_be_answered_in_the_mcp_client_but_not_an_approval() {
    daemon
        .client()
        .send(
            "PUT",
            "/api/agents/ada",
            """
            {"name":"ada","provider":{"name":"external"},"tools":[
              {"name":"name_it","description":"Asks.","executionType":"space","inputSchema":
                {"type":"object","properties":{"name":{"type":"string"}}}},
              {"name":"approve","description":"Asks.","executionType":"space",
               "display":{"customUI":"approval"}}]}
            """);
    String asked = ask("name_it");
    assertThat(task(ada, "tasks/get", asked).at("/result/inputRequests/answer/method").asText())
        .isEqualTo("elicitation/create");
    JsonNode wrong =
        task(
            ada,
            "tasks/update",
            asked,
            "{\"answer\":{\"action\":\"accept\",\"content\":{\"name\":7}}}");
    assertThat(wrong.at("/error/data/code").asText()).isEqualTo("INVALID_ARGUMENTS");
    assertThat(task(ada, "tasks/get", asked).at("/result/status").asText())
        .as("no answer is stored")
        .isEqualTo("input_required");
    task(
        ada,
        "tasks/update",
        asked,
        "{\"answer\":{\"action\":\"accept\",\"content\":{\"name\":\"Bo\"}}}");
    assertThat(task(ada, "tasks/get", asked).at("/result/status").asText()).isEqualTo("completed");
    assertThat(daemon.get("/api/pending/" + asked).body().at("/result/name").asText())
        .isEqualTo("Bo");
    String approval = ask("approve");
    task(ada, "tasks/update", approval, "{\"answer\":{\"action\":\"accept\",\"content\":{}}}");
    assertThat(task(ada, "tasks/get", approval).at("/result/status").asText()).isEqualTo("working");
    assertThat(daemon.get("/api/pending/" + approval).text("status")).isEqualTo("pending");
  }

  @Test
  @Requirement({"S3-40", "N4"})
  void a_client_cannot_give_an_approval_and_its_refusal_counts_only_for_itself() {
    daemon
        .client()
        .send(
            "PUT",
            "/api/agents/ada",
            """
            {"name":"ada","provider":{"name":"external"},"tools":[
              {"name":"confirm","description":"Asks.","executionType":"space",
               "display":{"customUI":"confirmAction"}},
              {"name":"own","description":"Asks.","executionType":"space","inputSchema":
                {"type":"object","properties":{"ok":{"type":"boolean"}}},
               "display":{"customUI":"ourOwnConfirmation"}},
              {"name":"name_it","description":"Asks.","executionType":"space","inputSchema":
                {"type":"object","properties":{"name":{"type":"string"}}}}]}
            """);
    for (String tool : List.of("confirm", "own")) {
      String consent = ask(tool);
      task(
          ada,
          "tasks/update",
          consent,
          "{\"answer\":{\"action\":\"accept\",\"content\":{\"confirmed\":true}}}");
      assertThat(daemon.get("/api/pending/" + consent).text("status"))
          .as(tool)
          .isEqualTo("pending");
    }
    for (String action : List.of("decline", "cancel")) {
      String asked = ask("name_it");
      task(ada, "tasks/update", asked, "{\"answer\":{\"action\":\"" + action + "\"}}");
      assertThat(task(ada, "tasks/get", asked).at("/result/status").asText())
          .as(action)
          .isEqualTo("working");
      assertThat(
              daemon
                  .post("/api/pending/" + asked + "/answer", "{\"result\":{\"name\":\"Bo\"}}")
                  .status())
          .as("another principal can still answer")
          .isEqualTo(200);
    }
  }

  private String ask(String tool) {
    return daemon
        .post("/api/tools/" + tool + "/call", "{\"agent\":\"ada\"}")
        .text("pendingToolCallId");
  }

  private static JsonNode task(TestClient client, String method, String task) {
    return task(client, method, task, "{\"name\":{\"action\":\"accept\"}}");
  }

  private static JsonNode task(TestClient client, String method, String task, String responses) {
    String parameters =
        """
        {"taskId":"%s","inputResponses":%s,"_meta":{
         "io.modelcontextprotocol/protocolVersion":"2026-07-28",
         "io.modelcontextprotocol/clientCapabilities":{
          "extensions":{"io.modelcontextprotocol/tasks":{}}}}}\
        """
            .formatted(task, responses);
    return client
        .post(
            "/mcp",
            request(method, parameters),
            "MCP-Protocol-Version",
            "2026-07-28",
            "Mcp-Method",
            method,
            "Mcp-Name",
            task)
        .body();
  }

  private static JsonNode read(TestClient client, String uri) {
    JsonNode result = rpc(client, "resources/read", "{\"uri\":\"" + uri + "\"}").path("result");
    return Json.own(result.at("/contents/0/text").asText());
  }

  private static int missing(TestClient client, String uri) {
    return rpc(client, "resources/read", "{\"uri\":\"" + uri + "\"}").at("/error/code").asInt();
  }

  private static String prompt(TestClient client, String name, String arguments) {
    return rpc(
            client, "prompts/get", "{\"name\":\"%s\",\"arguments\":%s}".formatted(name, arguments))
        .at("/result/messages/0/content/text")
        .asText();
  }

  private static List<String> complete(TestClient client, String beginning) {
    var values = new ArrayList<String>();
    rpc(
            client,
            "completion/complete",
            """
            {"ref":{"type":"ref/resource","uri":"substrat://team/{name}"},
             "argument":{"name":"name","value":"%s"}}\
            """
                .formatted(beginning))
        .at("/result/completion/values")
        .forEach(value -> values.add(value.asText()));
    return values;
  }

  private static JsonNode call(TestClient client, String tool, String arguments) {
    return rpc(
            client, "tools/call", "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments))
        .at("/result/structuredContent");
  }

  private static JsonNode rpc(TestClient client, String method, String parameters) {
    return client.post("/mcp", request(method, parameters)).body();
  }

  private static String request(String method, String parameters) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
        .formatted(method, parameters);
  }
}
