package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Call ids of MCP clients are recorded with the calls.
@OnOneDatabase
final class ClientMetaTest {
  private final McpTeam team;

  ClientMetaTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void only_ids_of_known_clients_are_recorded() {
    call(
        team.client("ada"),
        """
        {"claudecode/toolUseId": "toolu_1", "callId": "call_2", "agent-session-id": "20261116_3",
         "agent-tool-call-request-id": 4, "x-codex-turn-metadata": {"turn_id": "t5"},
         "progressToken": 6, "my/diary": "private", "substrat/idempotencyKey": "k"}\
        """);

    JsonNode record = record("ada");
    assertThat(record.get(0).path("clientMeta"))
        .isEqualTo(
            Json.own(
                """
                {"claudecode/toolUseId": "toolu_1", "callId": "call_2",
                 "x-codex-turn-metadata": {"turn_id": "t5"}, "agent-session-id": "20261116_3",
                 "agent-tool-call-request-id": 4}
                """));
    assertThat(record.get(1).path("clientMeta").isNull()).as("the call has them").isTrue();
  }

  @Test
  void long_values_are_truncated() {
    String turn = "{\"diff\":\"%s\"}".formatted("x".repeat(5_000));
    call(
        team.client("ada"),
        "{\"callId\":\"%s\",\"x-codex-turn-metadata\":%s}".formatted("🚢".repeat(600), turn));

    JsonNode kept = record("ada").get(0).path("clientMeta");
    assertThat(kept.path("callId").asText()).isEqualTo("🚢".repeat(500) + "…");
    assertThat(kept.path("x-codex-turn-metadata").asText()).hasSize(1_001).endsWith("x…");
  }

  @Test
  void a_call_without_client_ids_is_recorded_without_them() {
    call(team.client("ada"), "{\"callId\":null}");

    assertThat(record("ada").get(0).path("clientMeta").isNull()).isTrue();
  }

  @Test
  void calls_of_a_turn_are_recorded_with_client_ids() throws Exception {
    try (var held = HeldTurn.begin(team.daemon, "mira", "")) {
      call(held.client(), "{\"claudecode/toolUseId\":\"toolu_9\"}");
      held.release("aye");

      JsonNode calls = lines(held.run());
      assertThat(calls)
          .as("%s", calls)
          .anySatisfy(line ->
              assertThat(line.path("clientMeta").path("claudecode/toolUseId").asText())
                  .isEqualTo("toolu_9"));
    }
  }

  private static void call(TestClient client, String meta) {
    var answer =
        client.post(
            "/mcp",
            McpTeam.request(
                "tools/call",
                "{\"name\":\"list_children\",\"arguments\":{},\"_meta\":%s}".formatted(meta)));
    assertThat(answer.body().at("/result/isError").asBoolean(true)).as("%s", answer).isFalse();
  }

  private JsonNode record(String agent) {
    return lines(team.daemon.get("/api/runs?agent=" + agent).body().at("/runs/0/id").asText());
  }

  private JsonNode lines(String run) {
    return team.daemon.get("/api/runs/" + run + "/messages").body().path("messages");
  }
}
