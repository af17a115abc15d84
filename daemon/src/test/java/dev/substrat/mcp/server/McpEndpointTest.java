package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The MCP endpoint: its protocol, its limits, and repeated requests.
@OnOneDatabase
final class McpEndpointTest {
  private final McpTeam team;

  McpEndpointTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"S0-15", "S1-12"})
  void a_client_initializes_and_lists_its_tools() {
    JsonNode hello =
        team.rpc("ada", "initialize", "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{}}");

    assertThat(hello.path("protocolVersion").asText()).isEqualTo("2025-06-18");
    assertThat(hello.path("capabilities").has("tools")).isTrue();
    assertThat(hello.path("instructions").asText())
        .contains(
            "Tool calls return immediately with a status.",
            "The reply to a message you sent with `sync` will be in `check_inbox`.",
            "Never loop or poll for replies.",
            "`check_inbox`");
    var names = new ArrayList<String>();
    team.rpc("ada", "tools/list", "{}")
        .path("tools")
        .forEach(tool -> names.add(tool.path("name").asText()));
    assertThat(names)
        .isSorted()
        .contains("send_message", "broadcast", "check_inbox", "spawn_agent", "inspect_agent");
  }

  @Test
  void a_broadcast_has_a_status_and_an_idempotency_key_belongs_to_one_agent() {
    String id =
        team.call("ada", "broadcast", "{\"text\":\"all hands\"}").path("message_id").asText();
    assertThat(
            team.call("ada", "message_status", "{\"message_id\":\"%s\"}".formatted(id))
                .path("status")
                .asText())
        .isEqualTo("stored");

    String body =
        McpTeam.request(
            "tools/call",
            "{\"name\":\"remind_me\",\"arguments\":{\"text\":\"x\",\"in_seconds\":3600}}");
    var first = team.client("ada").post("/mcp", body, "Idempotency-Key", "1").body();
    var second = team.client("ben").post("/mcp", body, "Idempotency-Key", "1").body();
    assertThat(first.path("result").path("structuredContent").path("reminder_id"))
        .isNotEqualTo(second.path("result").path("structuredContent").path("reminder_id"));
  }

  @Test
  void a_batch_counts_as_read_with_the_next_request_and_is_returned_again_to_a_repeated_one() {
    team.call("mira", "send_message", "{\"recipient\":\"ben\",\"text\":\"one\",\"sync\":false}");
    String first = team.keyed("ben", "check_inbox", "k1");
    assertThat(team.keyed("ben", "check_inbox", "k1")).isEqualTo(first).contains("one");
    assertThat(team.keyed("ben", "check_inbox", "k2")).doesNotContain("one");
  }

  @Test
  void a_repeated_send_with_its_key_is_one_message() {
    String arguments = "{\"recipient\":\"ben\",\"text\":\"once\",\"sync\":false}";
    String body =
        McpTeam.request(
            "tools/call",
            "{\"name\":\"send_message\",\"arguments\":%s,\"_meta\":{\"substrat/idempotencyKey\":\"k\"}}"
                .formatted(arguments));
    var first = team.client("ada").post("/mcp", body).body();
    var second = team.client("ada").post("/mcp", body).body();

    assertThat(second.path("result").path("structuredContent"))
        .isEqualTo(first.path("result").path("structuredContent"));
    assertThat(team.call("ben", "check_inbox", "{}").path("messages")).hasSize(1);
  }

  @Test
  @Requirement({"S0-35", "S1-22"})
  void too_many_messages_are_refused_with_the_time_to_wait() {
    team.daemon.post(
        "/api/agents",
        "{\"name\":\"rush\",\"parent\":\"mira\",\"provider\":{\"name\":\"external\"},\"limits\":{\"messagesPerMinute\":2}}");
    team.connect("rush");
    JsonNode last = null;
    for (int i = 0; i < 3; i++) {
      last =
          team.call(
              "rush", "send_message", "{\"recipient\":\"ben\",\"text\":\"x\",\"sync\":false}");
    }
    assertThat(last).isNotNull();
    assertThat(last.path("code").asText()).isEqualTo("RATE_LIMITED");
    assertThat(last.path("retryAfterMs").asLong()).isPositive();
  }

  @Test
  void each_call_is_recorded_once() {
    team.call("ada", "send_message", "{\"recipient\":\"ben\",\"text\":\"hi\"}");
    String run =
        team.daemon.get("/api/runs?agent=ada").body().path("runs").get(0).path("id").asText();

    var types = new ArrayList<String>();
    team.daemon
        .get("/api/runs/" + run + "/messages")
        .body()
        .path("messages")
        .forEach(line -> types.add(line.path("type").asText()));
    assertThat(types).containsExactly("tool_call_message", "tool_return_message");
  }

  @Test
  void an_invalid_request_is_a_protocol_error() {
    var batch = team.client("ada").post("/mcp", "[1]", "MCP-Protocol-Version", "2025-11-25");
    assertThat(batch.status()).isEqualTo(400);
    assertThat(team.client("ada").post("/mcp", "{nope").body().path("error").path("code").asInt())
        .isEqualTo(-32700);
    var unknown = team.client("ada").post("/mcp", McpTeam.request("tools/fly", "{}")).body();
    assertThat(unknown.path("error").path("code").asInt()).isEqualTo(-32601);
    assertThat(
            team.client("ada")
                .post("/mcp", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}")
                .status())
        .isEqualTo(202);
  }
}
