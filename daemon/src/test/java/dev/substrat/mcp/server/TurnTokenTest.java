package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A turn token is valid for one turn only.
@OnOneDatabase
@Requirement({"A11", "N7"})
@Timeout(300)
final class TurnTokenTest {
  private final McpTeam team;

  TurnTokenTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void a_turn_token_acts_as_its_agent_and_is_rejected_after_the_turn() throws Exception {
    try (var turn = begin("")) {
      assertThat(McpTeam.tools(turn.client())).contains("send_message", "check_inbox");
      JsonNode sent =
          structured(
              turn.call("send_message", "{\"recipient\":\"mira\",\"text\":\"x\",\"sync\":false}"));
      assertThat(sent.path("status").asText()).isEqualTo("sent");
      assertThat(
              team.call("mira", "check_inbox", "{}").path("messages").get(0).path("from").asText())
          .isEqualTo("noor");

      turn.release("released");

      var late = turn.call("send_message", "{\"recipient\":\"mira\",\"text\":\"late\"}");
      assertThat(late.status()).isEqualTo(401);
      assertThat(team.call("mira", "check_inbox", "{}").path("messages")).isEmpty();
      var question = team.daemon.get("/api/messages/" + turn.message()).body();
      assertThat(question.path("reply").path("text").asText()).isEqualTo("released");
    }
  }

  /// Depth, cause, steps and record are the turn's, as if its provider had made the call.
  @Test
  void calls_with_a_turn_token_are_steps_of_the_turn() throws Exception {
    try (var turn = begin("")) {
      turn.call("send_message", "{\"recipient\":\"mira\",\"text\":\"one\",\"sync\":false}");
      turn.call("check_inbox", "{}");

      var steps = team.daemon.get("/api/runs/" + turn.run() + "/steps").body().path("steps");
      assertThat(steps).hasSize(2);
      assertThat(steps).allSatisfy(step -> assertThat(step.path("calls").asInt()).isEqualTo(1));
      assertThat(team.daemon.get("/api/runs?agent=noor").body().path("runs")).hasSize(1);
      turn.release("done");
    }
  }

  @Test
  void messages_fetched_with_a_turn_token_belong_to_the_turn() throws Exception {
    try (var turn = begin("")) {
      String messages =
          team.call(
                  "mira",
                  "send_message",
                  "{\"recipient\":\"noor\",\"text\":\"psst\",\"sync\":false}")
              .path("message_id")
              .asText();
      assertThat(structured(turn.call("check_inbox", "{}")).path("messages").get(0).path("text"))
          .hasToString("\"psst\"");

      turn.release("done");

      assertThat(team.daemon.get("/api/messages/" + messages).text("status")).isEqualTo("read");
      assertThat(team.daemon.get("/api/agents/noor").body().path("pendingCount").asInt()).isZero();
    }
  }

  @Test
  void calls_with_a_turn_token_count_for_the_limits_of_the_turn() throws Exception {
    try (var turn = begin("\"limits\":{\"maxCallsPerTurn\":1},")) {
      turn.call("check_inbox", "{}");

      assertThat(structured(turn.call("check_inbox", "{}")).path("code").asText())
          .isEqualTo("LIMIT_REACHED");
      turn.release("done");
    }
  }

  @Test
  @Requirement("C12")
  void exceeding_the_step_limit_returns_a_readable_error() throws Exception {
    try (var turn = begin("\"limits\":{\"maxStepsPerTurn\":1},")) {
      turn.call("check_inbox", "{}");

      assertThat(structured(turn.call("check_inbox", "{}")).path("code").asText())
          .isEqualTo("LIMIT_REACHED");
      turn.release("done");
    }
  }

  @Test
  void a_request_repeated_with_its_key_is_one_call() throws Exception {
    try (var turn = begin("")) {
      String body =
          McpTeam.request(
              "tools/call",
              """
              {"name":"send_message","arguments":{"recipient":"mira","text":"once","sync":false}}\
              """);
      for (int i = 0; i < 2; i++) {
        turn.client().post("/mcp", body, "Idempotency-Key", "k1");
      }

      assertThat(team.call("mira", "check_inbox", "{}").path("messages")).hasSize(1);
      turn.release("done");
    }
  }

  @Test
  void a_turn_token_is_accepted_only_for_mcp() throws Exception {
    try (var turn = begin("")) {
      for (String path :
          List.of(
              "/api/agents",
              "/api/agents/noor",
              "/api/status",
              "/api/events",
              "/api/tokens",
              "/api/runs/" + turn.run(),
              "/api/openapi.json")) {
        assertThat(turn.client().get(path).status()).as(path).isEqualTo(403);
      }
      assertThat(turn.client().post("/api/shutdown", "{}").status()).isEqualTo(403);
      String claim = "{\"token\":\"%s\"}".formatted(turn.client().token());
      assertThat(turn.client().post("/login", claim).status()).isEqualTo(401);
      turn.release("done");
    }
  }

  @Test
  void the_token_of_a_cancelled_turn_is_rejected_immediately() throws Exception {
    try (var turn = begin("")) {
      assertThat(turn.knock()).isEqualTo(200);

      team.daemon.post("/api/runs/" + turn.run() + "/cancel", "");

      assertThat(turn.knock()).isEqualTo(401);
    }
  }

  @Test
  void the_turn_token_of_a_terminated_agent_is_rejected_immediately() throws Exception {
    try (var turn = begin("")) {
      team.daemon.delete("/api/agents/noor");

      assertThat(turn.knock()).isEqualTo(401);
    }
  }

  /// Like another daemon that takes over the lease of a dead one.
  @Test
  void the_token_of_a_turn_without_lease_is_rejected_immediately() throws Exception {
    try (var turn = begin("");
        var other = team.place().open()) {
      other.transact(tx ->
          tx.update(
              "update agent set turn_no = turn_no + 1, lease_owner = ? where handle = 'noor'",
              "another daemon"));

      assertThat(turn.knock()).isEqualTo(401);
      assertThat(turn.call("check_inbox", "{}").status()).isEqualTo(401);
    }
  }

  @Test
  void another_daemon_rejects_a_turn_token_and_names_the_right_url(@TempDir Path data)
      throws Exception {
    assumeThat(team.place().dialect()).isEqualTo(Dialect.POSTGRES);
    try (var turn = begin("");
        var second = TestDaemon.on(team.place(), data, Map.of());
        var client = second.as(turn.client().token())) {
      var refused = client.post("/mcp", McpTeam.request("tools/list", "{}"));
      assertThat(refused.body().path("error").path("message").asText())
          .contains("does not run on this daemon", "SUBSTRAT_MCP_URL");

      turn.release("done");

      assertThat(client.post("/mcp", McpTeam.request("tools/list", "{}")).status()).isEqualTo(401);
    }
  }

  @Test
  void a_turn_token_is_not_listed_rotated_or_revoked() throws Exception {
    try (var turn = begin("")) {
      String id = turn.client().token().split("_", 3)[1];

      assertThat(team.daemon.get("/api/tokens").body().toString()).doesNotContain(id);
      assertThat(team.daemon.post("/api/tokens/" + id + "/rotate", "{}").status()).isEqualTo(404);
      assertThat(team.daemon.delete("/api/tokens/" + id).status()).isEqualTo(404);
      turn.release("done");
    }
  }

  private HeldTurn begin(String more) throws Exception {
    return HeldTurn.begin(team.daemon, "mira", more);
  }

  private static JsonNode structured(TestClient.Answer answer) {
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    return answer.body().path("result").path("structuredContent");
  }
}
