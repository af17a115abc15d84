package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A child never has more rights than its parent, and neither has its token.
@OnOneDatabase
@Requirement("N7")
final class ChildLimitsTest {
  private final McpTeam team;

  ChildLimitsTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"toolsets\":[\"team\"]",
        "\"limits\":{\"messagesPerMinute\":9999}",
        "\"provider\":{\"name\":\"scripted\",\"command\":[\"sh\",\"-c\",\"id\"]}",
        "\"command\":[\"sh\",\"-c\",\"id\"]",
        "\"directory\":\"/\"",
        "\"parent\":\"ada\"",
        "\"parent\":null"
      })
  void a_parent_cannot_request_more_for_its_child(String request) {
    String arguments = "{\"name\":\"noor\",\"instructions\":\"review\"," + request + "}";

    assertThat(team.refusal("mira", "spawn_agent", arguments)).isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.daemon.get("/api/agents/noor").status()).isEqualTo(404);
  }

  @Test
  void a_child_has_its_parents_limits_and_tools() {
    team.create(
        "slow",
        """
        {"name":"slow","parent":"mira","provider":{"name":"external"},
         "limits":{"messagesPerMinute":2,"maxChildren":1},"toolsets":["team"]}\
        """);
    team.call("slow", "spawn_agent", "{\"name\":\"noor\",\"instructions\":\"review\"}");
    team.connect("noor");

    assertThat(McpTeam.tools(team.client("noor"))).isEqualTo(McpTeam.tools(team.client("slow")));
    String message = "{\"recipient\":\"slow\",\"text\":\"x\",\"sync\":false}";
    team.call("noor", "send_message", message);
    team.call("noor", "send_message", message);
    assertThat(team.refusal("noor", "send_message", message)).isEqualTo("RATE_LIMITED");
    team.call("noor", "spawn_agent", "{\"name\":\"one\",\"instructions\":\"x\"}");
    assertThat(team.refusal("noor", "spawn_agent", "{\"name\":\"two\",\"instructions\":\"x\"}"))
        .isEqualTo("LIMIT_REACHED");
  }

  @Test
  void an_agent_without_tools_has_no_children_and_its_token_no_tools() {
    team.create(
        "bare",
        "{\"name\":\"bare\",\"parent\":\"mira\",\"provider\":{\"name\":\"external\"},\"toolsets\":[]}");

    assertThat(McpTeam.tools(team.client("bare"))).containsExactly("check_inbox");
    assertThat(team.refusal("bare", "spawn_agent", "{\"name\":\"x\",\"instructions\":\"x\"}"))
        .isEqualTo("UNKNOWN_TOOL");
    assertThat(team.refusal("bare", "send_message", "{\"recipient\":\"ada\",\"text\":\"x\"}"))
        .isEqualTo("UNKNOWN_TOOL");
  }
}
