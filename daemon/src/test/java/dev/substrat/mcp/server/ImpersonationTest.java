package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Ada tries to impersonate others. Whatever a request says about its sender, the token decides.
@OnOneDatabase
@Requirement({"N7", "S0-32", "A2"})
final class ImpersonationTest {
  private final McpTeam team;

  ImpersonationTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"from", "sender", "agent", "agent_id", "agentId", "caller", "principal", "token"})
  void another_agent_in_the_arguments_is_rejected(String key) {
    for (String mira : List.of("mira", id("mira"))) {
      String arguments =
          "{\"recipient\":\"ben\",\"text\":\"hi\",\"%s\":\"%s\"}".formatted(key, mira);

      assertThat(team.refusal("ada", "send_message", arguments)).isEqualTo("INVALID_ARGUMENTS");
    }
    assertThat(inbox("ben")).isEmpty();
  }

  @Test
  void another_agent_in_query_headers_or_metadata_is_ignored() {
    String call =
        """
        {"name":"send_message","arguments":{"recipient":"ben","text":"hi","sync":false},
         "agent":"mira","_meta":{"agent":"mira","agent_id":"%s","substrat/agent":"mira"}}\
        """
            .formatted(id("mira"));
    var answer =
        team.client("ada")
            .post(
                "/mcp?agent=mira&agent_id=" + id("mira"),
                McpTeam.request("tools/call", call),
                "X-Agent",
                "mira",
                "X-Substrat-Agent",
                id("mira"),
                "Mcp-Session-Id",
                sessionOf("mira"),
                "Cookie",
                "agent=mira; substrat_session=" + team.daemon.token());

    assertThat(answer.status()).isEqualTo(200);
    assertThat(inbox("ben").get(0).path("from").asText()).isEqualTo("ada");
  }

  private String sessionOf(String agent) {
    return team.client(agent)
        .post("/mcp", McpTeam.request("initialize", "{}"))
        .header("Mcp-Session-Id");
  }

  /// The same response for existing and unknown agents.
  @Test
  void another_agent_in_the_path_is_forbidden_whether_it_exists_or_not() {
    for (String other : List.of("mira", id("mira"), "ada", "nobody")) {
      for (String path : List.of("", "/activity", "/tokens", "/messages")) {
        var answer = team.client("ada").get("/api/agents/" + other + path);
        assertThat(answer.status()).as(other + path).isIn(403, 405);
      }
      assertThat(team.client("ada").delete("/api/agents/" + other).status()).isEqualTo(403);
      assertThat(
              team.client("ada")
                  .post("/api/agents/" + other + "/messages", "{\"text\":\"x\"}")
                  .status())
          .isEqualTo(403);
      assertThat(team.client("ada").post("/api/agents/" + other + "/tokens", "{}").status())
          .isEqualTo(403);
    }
    assertThat(problem(team.client("ada").get("/api/agents/mira")))
        .isEqualTo(problem(team.client("ada").get("/api/agents/nobody")));
    assertThat(team.client("ada").post("/mcp/" + id("mira"), "{}").status()).isEqualTo(404);
  }

  @Test
  void a_child_named_like_an_agent_id_is_not_mistaken_for_that_agent() {
    String ben = id("ben");
    String child = "{\"name\":\"%s\",\"instructions\":\"be ben\"}".formatted(ben);
    assertThat(team.call("ada", "spawn_agent", child).path("status").asText()).isEqualTo("created");
    // Ben's own row is written again, so that no database happens to find it first.
    inbox("ben");
    inbox("ben");

    assertThat(team.daemon.get("/api/agents/" + ben).text("handle")).isEqualTo("ben");
    team.call("mira", "send_message", "{\"recipient\":\"ben\",\"text\":\"for ben\"}");
    assertThat(inbox("ben").get(0).path("text").asText()).isEqualTo("for ben");
  }

  @Test
  void messages_of_others_cannot_be_read_or_answered() {
    String sent =
        team.call("mira", "send_message", "{\"recipient\":\"ben\",\"text\":\"for ben\"}")
            .path("message_id")
            .asText();

    JsonNode foreign = status("ada", sent);
    assertThat(foreign.path("code").asText()).isEqualTo("MESSAGE_NOT_FOUND");
    assertThat(foreign).isEqualTo(status("ada", "nonsense"));
    assertThat(inbox("ada")).isEmpty();
    assertThat(team.client("ada").get("/api/messages/" + sent).status()).isEqualTo(403);
    String answer =
        "{\"recipient\":\"mira\",\"text\":\"I am ben\",\"in_reply_to\":\"%s\"}".formatted(sent);
    assertThat(team.refusal("ada", "send_message", answer)).isEqualTo("INVALID_ARGUMENTS");
    assertThat(inbox("ben")).hasSize(1);
  }

  @Test
  void a_token_combined_from_two_tokens_is_rejected() {
    String[] ada = team.token("ada").split("_", 3);
    String[] mira = team.token("mira").split("_", 3);
    String[] operator = team.daemon.token().split("_", 3);

    for (String forged :
        List.of(
            "substrat_" + mira[1] + "_" + ada[2],
            "substrat_" + ada[1] + "_" + mira[2],
            "substrat_" + operator[1] + "_" + ada[2],
            "substrat_" + id("mira") + "_" + ada[2],
            "substrat_operator_" + ada[2],
            id("mira"),
            "mira")) {
      assertThat(knock(forged)).as(forged).isEqualTo(401);
    }
  }

  @Test
  void a_revoked_token_is_rejected_like_an_unknown_one() {
    String revoked = team.token("ada");
    team.daemon.delete("/api/tokens/" + revoked.split("_", 3)[1]);
    String rotated = team.token("ada");
    String fresh =
        team.daemon.post("/api/tokens/" + rotated.split("_", 3)[1] + "/rotate", "{}").text("token");
    String ended = team.token("ben");
    team.daemon.delete("/api/agents/ben");

    for (String worthless : List.of(revoked, rotated, ended)) {
      assertThat(knock(worthless)).isEqualTo(401);
      assertThat(refusal(worthless)).isEqualTo(refusal("substrat_x_y"));
    }
    assertThat(knock(fresh)).isEqualTo(200);
  }

  @Test
  @Requirement("S0-30")
  void an_agent_cannot_message_beyond_its_neighbours() {
    team.external("lars", null);

    assertThat(team.refusal("ada", "send_message", "{\"recipient\":\"lars\",\"text\":\"hi\"}"))
        .isEqualTo("RECIPIENT_UNREACHABLE");
    assertThat(
            team.refusal(
                "ada",
                "send_message",
                "{\"recipient\":\"%s\",\"text\":\"hi\"}".formatted(id("lars"))))
        .isEqualTo("RECIPIENT_UNREACHABLE");
    assertThat(team.refusal("ada", "terminate_agent", "{\"name\":\"ben\"}"))
        .isEqualTo("AGENT_NOT_FOUND");
  }

  @Test
  @Requirement("A11")
  void only_external_agents_can_call_tools_with_their_token() {
    team.daemon.createAgent("scripted", "[]");
    try (var other = team.daemon.as(team.token("scripted"))) {
      var refused = other.post("/mcp", McpTeam.request("tools/list", "{}")).body();
      assertThat(refused.path("error").path("message").asText()).contains("run by the daemon");
    }
  }

  @Test
  void reserved_names_are_rejected() {
    for (String name : List.of("operator", "USER", "substrat")) {
      assertThat(team.daemon.post("/api/agents", "{\"name\":\"" + name + "\"}").status())
          .isEqualTo(422);
      assertThat(
              team.refusal(
                  "mira", "spawn_agent", "{\"name\":\"" + name + "\",\"instructions\":\"x\"}"))
          .isEqualTo("INVALID_CONFIG");
    }
  }

  private String id(String agent) {
    return team.daemon.get("/api/agents/" + agent).text("id");
  }

  private JsonNode inbox(String agent) {
    return team.call(agent, "check_inbox", "{}").path("messages");
  }

  private JsonNode status(String agent, String message) {
    return team.call(agent, "message_status", "{\"message_id\":\"%s\"}".formatted(message));
  }

  private int knock(String token) {
    try (var client = team.daemon.as(token)) {
      return client.post("/mcp", McpTeam.request("tools/list", "{}")).status();
    }
  }

  private String refusal(String token) {
    try (var client = team.daemon.as(token)) {
      return problem(client.post("/mcp", McpTeam.request("tools/list", "{}")));
    }
  }

  private static String problem(TestClient.Answer answer) {
    return answer.status() + " " + Json.text(answer.body());
  }
}
