package dev.substrat.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.daemon.TestClient;
import dev.substrat.daemon.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A team whose minds are elsewhere, acting through MCP with their tokens.
@OnEveryDatabase
final class McpDoorTest {
  private final TestDatabase place;
  private final TestDaemon daemon;
  private final Map<String, TestClient> clients = new ConcurrentHashMap<>();

  McpDoorTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    external("mira", null);
    external("ada", "mira");
    external("ben", "mira");
  }

  @AfterEach
  void close() throws IOException {
    clients.values().forEach(TestClient::close);
    daemon.close();
    place.close();
  }

  @Test
  @Requirement({"S0-15", "S1-12"})
  void a_client_introduces_itself_and_lists_its_tools() {
    JsonNode hello =
        rpc("ada", "initialize", "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{}}");

    assertThat(hello.path("protocolVersion").asText()).isEqualTo("2025-06-18");
    assertThat(hello.path("capabilities").has("tools")).isTrue();
    assertThat(hello.path("instructions").asText())
        .contains(
            "Tool calls return immediately with a status.",
            "Replies to messages you sent with `sync` arrive as your next message.",
            "Never loop or poll for replies.",
            "`check_inbox`");
    var names = new ArrayList<String>();
    rpc("ada", "tools/list", "{}")
        .path("tools")
        .forEach(tool -> names.add(tool.path("name").asText()));
    assertThat(names)
        .isSorted()
        .contains("send_message", "broadcast", "check_inbox", "spawn_agent", "inspect_agent");
  }

  @Test
  @Requirement({"S0-7", "S0-10", "S0-13", "S0-16", "S0-17", "S0-18", "S0-22", "S1-9", "S1-14"})
  void a_question_and_its_answer_have_exactly_the_promised_shapes() {
    JsonNode sent = call("ada", "send_message", "{\"recipient\":\"ben\",\"text\":\"ready?\"}");
    String id = sent.path("message_id").asText();
    assertThat(fields(sent)).containsExactly("status", "message_id", "waiting_for_reply");
    assertThat(sent.path("status").asText()).isEqualTo("sent");
    assertThat(sent.path("waiting_for_reply").asBoolean()).isTrue();

    JsonNode question = call("ben", "check_inbox", "{}").path("messages").get(0);
    assertThat(question.path("from").asText()).isEqualTo("ada");
    assertThat(question.path("text").asText()).isEqualTo("ready?");
    assertThat(question.path("message_id").asText()).isEqualTo(id);
    JsonNode reply =
        call(
            "ben", "send_message", "{\"recipient\":\"ada\",\"text\":\"aye\\nsir\",\"sync\":false}");
    assertThat(reply.path("waiting_for_reply").asBoolean()).isFalse();

    JsonNode answer = call("ada", "check_inbox", "{}").path("messages").get(0);
    assertThat(answer.path("text").asText())
        .isEqualTo("Reply from ben (to message " + id + "):\naye\nsir");
    assertThat(answer.path("kind").asText()).isEqualTo("response");
  }

  @Test
  @Requirement({"S0-19", "S0-20", "S0-21", "S1-15"})
  void a_broadcast_counts_its_recipients_and_one_to_nobody_is_refused() {
    JsonNode sent = call("ada", "broadcast", "{\"text\":\"all hands\"}");
    assertThat(fields(sent)).containsExactly("status", "message_id", "recipient_count");
    assertThat(sent.path("recipient_count").asInt()).isEqualTo(1);

    call("ben", "check_inbox", "{}");
    call("ben", "send_message", "{\"recipient\":\"ada\",\"text\":\"here\",\"sync\":false}");
    assertThat(call("ada", "check_inbox", "{}").path("messages").get(0).path("text").asText())
        .isEqualTo("Reply from ben (to message " + sent.path("message_id").asText() + "):\nhere");
    assertThat(call("mira", "broadcast", "{\"text\":\"x\"}").path("code").asText())
        .isEqualTo("NO_RECIPIENTS");
  }

  @Test
  @Requirement({"S0-23", "S0-24", "S0-25", "S0-26", "S0-27", "S0-30", "S1-17", "S1-18", "S1-19"})
  void a_child_is_spawned_and_inspected() {
    JsonNode spawned =
        call(
            "mira",
            "spawn_agent",
            "{\"name\":\"noor\",\"instructions\":\"review\",\"role\":\"reviewer\"}");
    assertThat(fields(spawned)).containsExactly("status", "agent_id", "name");
    assertThat(spawned.path("status").asText()).isEqualTo("created");
    assertThat(
            call("mira", "spawn_agent", "{\"name\":\"Noor\",\"instructions\":\"x\"}")
                .path("code")
                .asText())
        .isEqualTo("NAME_TAKEN");

    call("mira", "send_message", "{\"recipient\":\"noor\",\"text\":\"look\"}");
    JsonNode seen = call("mira", "inspect_agent", "{\"name\":\"noor\"}");
    assertThat(seen.path("state").asText()).isIn("idle", "busy", "waiting");
    assertThat(seen.path("recent_messages").get(0).path("text").asText()).isEqualTo("look");
    assertThat(call("ada", "inspect_agent", "{\"name\":\"ben\"}").path("code").asText())
        .isEqualTo("AGENT_NOT_FOUND");
    assertThat(
            call(
                    "mira",
                    "spawn_agent",
                    "{\"name\":\"x\",\"instructions\":\"x\",\"workspace_subdir\":\"../up\"}")
                .path("code")
                .asText())
        .isEqualTo("INVALID_ARGUMENTS");
  }

  @Test
  @Requirement({"N7", "S0-30"})
  void nobody_acts_for_another_or_writes_further_than_one_hop() {
    external("lars", null);
    assertThat(
            call("ada", "send_message", "{\"recipient\":\"lars\",\"text\":\"hi\"}")
                .path("code")
                .asText())
        .isEqualTo("RECIPIENT_UNREACHABLE");
    assertThat(
            call("ada", "send_message", "{\"recipient\":\"ben\",\"text\":\"hi\",\"from\":\"mira\"}")
                .path("code")
                .asText())
        .isEqualTo("INVALID_ARGUMENTS");
    daemon.delete("/api/agents/ada");
    assertThat(client("ada").post("/mcp", request("tools/list", "{}")).status()).isEqualTo(401);
  }

  @Test
  @Requirement("N7")
  void only_external_agents_act_themselves_and_nobody_takes_a_reserved_name() {
    daemon.createAgent("scripted", "[]");
    try (var other = daemon.as(token("scripted"))) {
      var refused = other.post("/mcp", request("tools/list", "{}")).body();
      assertThat(refused.path("error").path("message").asText()).contains("run by the daemon");
    }
    for (String name : List.of("operator", "USER", "substrat")) {
      assertThat(daemon.post("/api/agents", "{\"name\":\"" + name + "\"}").status()).isEqualTo(422);
      assertThat(
              call("mira", "spawn_agent", "{\"name\":\"" + name + "\",\"instructions\":\"x\"}")
                  .path("code")
                  .asText())
          .isEqualTo("INVALID_CONFIG");
    }
  }

  @Test
  void a_reply_that_comes_too_late_opens_no_wait_and_a_wrong_reference_is_refused() {
    String sent = "{\"recipient\":\"ben\",\"text\":\"fyi\",\"sync\":false}";
    String id = call("ada", "send_message", sent).path("message_id").asText();
    String late =
        "{\"recipient\":\"ada\",\"text\":\"thanks\",\"in_reply_to\":\"%s\"}".formatted(id);
    assertThat(call("ben", "send_message", late).path("waiting_for_reply").asBoolean()).isFalse();
    String wrong = "{\"recipient\":\"ada\",\"text\":\"x\",\"in_reply_to\":\"nonsense\"}";
    assertThat(call("ben", "send_message", wrong).path("code").asText())
        .isEqualTo("INVALID_ARGUMENTS");
  }

  @Test
  void a_broadcast_has_a_status_and_a_key_belongs_to_who_uses_it() {
    String id = call("ada", "broadcast", "{\"text\":\"all hands\"}").path("message_id").asText();
    assertThat(
            call("ada", "message_status", "{\"message_id\":\"%s\"}".formatted(id))
                .path("status")
                .asText())
        .isEqualTo("stored");

    String body =
        request(
            "tools/call",
            "{\"name\":\"remind_me\",\"arguments\":{\"text\":\"x\",\"in_seconds\":3600}}");
    var first = client("ada").post("/mcp", body, "Idempotency-Key", "1").body();
    var second = client("ben").post("/mcp", body, "Idempotency-Key", "1").body();
    assertThat(first.path("result").path("structuredContent").path("reminder_id"))
        .isNotEqualTo(second.path("result").path("structuredContent").path("reminder_id"));
  }

  @Test
  void a_batch_counts_as_read_with_the_next_request_and_a_repeated_one_gets_it_again() {
    call("mira", "send_message", "{\"recipient\":\"ben\",\"text\":\"one\",\"sync\":false}");
    String first = keyed("ben", "check_inbox", "k1");
    assertThat(keyed("ben", "check_inbox", "k1")).isEqualTo(first).contains("one");
    assertThat(keyed("ben", "check_inbox", "k2")).doesNotContain("one");
  }

  @Test
  void a_repeated_send_with_its_key_is_one_message() {
    String arguments = "{\"recipient\":\"ben\",\"text\":\"once\",\"sync\":false}";
    String body =
        request(
            "tools/call",
            "{\"name\":\"send_message\",\"arguments\":%s,\"_meta\":{\"substrat/idempotencyKey\":\"k\"}}"
                .formatted(arguments));
    var first = client("ada").post("/mcp", body).body();
    var second = client("ada").post("/mcp", body).body();

    assertThat(second.path("result").path("structuredContent"))
        .isEqualTo(first.path("result").path("structuredContent"));
    assertThat(call("ben", "check_inbox", "{}").path("messages")).hasSize(1);
  }

  @Test
  @Requirement({"S0-35", "S1-22"})
  void too_many_messages_are_refused_with_the_time_to_wait() {
    daemon.post(
        "/api/agents",
        "{\"name\":\"rush\",\"parent\":\"mira\",\"provider\":{\"name\":\"external\"},\"limits\":{\"messagesPerMinute\":2}}");
    clients.put("rush", daemon.as(token("rush")));
    JsonNode last = null;
    for (int i = 0; i < 3; i++) {
      last = call("rush", "send_message", "{\"recipient\":\"ben\",\"text\":\"x\",\"sync\":false}");
    }
    assertThat(last).isNotNull();
    assertThat(last.path("code").asText()).isEqualTo("RATE_LIMITED");
    assertThat(last.path("retryAfterMs").asLong()).isPositive();
  }

  @Test
  void what_was_called_is_recorded_once_each() {
    call("ada", "send_message", "{\"recipient\":\"ben\",\"text\":\"hi\"}");
    String run = daemon.get("/api/runs?agent=ada").body().path("runs").get(0).path("id").asText();

    var types = new ArrayList<String>();
    daemon
        .get("/api/runs/" + run + "/messages")
        .body()
        .path("messages")
        .forEach(line -> types.add(line.path("type").asText()));
    assertThat(types).containsExactly("tool_call_message", "tool_return_message");
  }

  @Test
  void broken_protocol_is_a_protocol_error() {
    assertThat(client("ada").post("/mcp", "[1]").status()).isEqualTo(400);
    assertThat(client("ada").post("/mcp", "{nope").body().path("error").path("code").asInt())
        .isEqualTo(-32700);
    var unknown = client("ada").post("/mcp", request("tools/fly", "{}")).body();
    assertThat(unknown.path("error").path("code").asInt()).isEqualTo(-32601);
    assertThat(
            client("ada")
                .post("/mcp", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}")
                .status())
        .isEqualTo(202);
  }

  private void external(String name, @Nullable String parent) {
    var created =
        daemon.post(
            "/api/agents",
            "{\"name\":\"%s\",%s\"provider\":{\"name\":\"external\"}}"
                .formatted(name, parent == null ? "" : "\"parent\":\"" + parent + "\","));
    assertThat(created.status()).isEqualTo(201);
    clients.put(name, daemon.as(token(name)));
  }

  private TestClient client(String agent) {
    return Objects.requireNonNull(clients.get(agent));
  }

  private String token(String agent) {
    return daemon.post("/api/agents/" + agent + "/tokens", "{}").text("token");
  }

  private String keyed(String agent, String tool, String key) {
    return client(agent)
        .post("/mcp", request("tools/call", "{\"name\":\"" + tool + "\"}"), "Idempotency-Key", key)
        .body()
        .path("result")
        .path("structuredContent")
        .toString();
  }

  private JsonNode call(String agent, String tool, String arguments) {
    return rpc(agent, "tools/call", "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments))
        .path("structuredContent");
  }

  private JsonNode rpc(String agent, String method, String parameters) {
    var answer = client(agent).post("/mcp", request(method, parameters));
    assertThat(answer.status()).isEqualTo(200);
    return answer.body().path("result");
  }

  private static String request(String method, String parameters) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
        .formatted(method, parameters);
  }

  private static List<String> fields(JsonNode node) {
    var names = new ArrayList<String>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
