package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The tools that a program discovers with `tools/list` while its turn runs: exactly those of its
/// agent, and each can be called.
@OnOneDatabase
@Timeout(300)
final class TurnToolListTest {
  private final McpTeam team;

  TurnToolListTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement("S0-2")
  void a_turn_lists_exactly_the_tools_of_its_agent() throws Exception {
    requireListed(
        "channels", List.of("do_nothing", "list_spaces", "react_to_message", "send_message"));
  }

  @Test
  @Requirement("S0-2")
  void a_turn_of_a_team_member_lists_exactly_the_tools_of_the_team() throws Exception {
    requireListed(
        "team",
        List.of(
            "broadcast",
            "check_inbox",
            "complete",
            "inspect_agent",
            "list_team",
            "message_status",
            "send_message",
            "spawn_agent",
            "terminate_agent"));
  }

  private void requireListed(String toolset, List<String> expected) throws Exception {
    try (var turn = HeldTurn.begin(team.daemon, "mira", "\"toolsets\":[\"" + toolset + "\"],")) {
      assertThat(McpTeam.tools(turn.client())).containsExactlyElementsOf(expected);
      for (String tool : expected) {
        assertThat(turn.call(tool, "{\"nonsense\":1}").body().toString())
            .as(tool)
            .contains("INVALID_ARGUMENTS");
      }
      turn.release("done");
    }
  }
}
