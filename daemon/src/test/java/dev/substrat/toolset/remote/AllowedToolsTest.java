package dev.substrat.toolset.remote;

import static dev.substrat.toolset.remote.RemoteServerTeam.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.mcp.client.FakeMcpServer;
import dev.substrat.protocol.Fault;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.team.toolconfig.McpServerConfig;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Reports about servers of which an agent may use only some tools or none.
@OnEveryDatabase
final class AllowedToolsTest {
  private final RemoteServerTeam outpost;

  AllowedToolsTest(TestDatabase kind) {
    this.outpost = new RemoteServerTeam(kind);
  }

  @AfterEach
  void close() throws IOException {
    outpost.close();
  }

  @Test
  void tools_that_are_not_allowed_are_listed_separately_and_unknown_names_are_reported() {
    try (var server = FakeMcpServer.modern()) {
      Agent ada = outpost.agent("ada", at("met", server, "allowedTools: [wether]"));
      outpost.look(ada);

      RemoteServerApprovals.ServerView view = outpost.remote.approvals().servers(ada).getFirst();
      assertThat(view.tools()).isEmpty();
      assertThat(view.otherTools()).containsExactly("weather");
      assertThat(view.problem()).contains("does not have these tools of `allowedTools`: wether");
    }
  }

  @Test
  void a_server_with_all_allowed_tools_has_no_problem() {
    try (var server = FakeMcpServer.modern()) {
      Agent ada = outpost.agent("ada", at("met", server, "allowedTools: [weather]"));
      outpost.look(ada);

      RemoteServerApprovals.ServerView view = outpost.remote.approvals().servers(ada).getFirst();
      assertThat(view.tools())
          .extracting(RemoteServerApprovals.ToolView::name)
          .containsExactly("weather");
      assertThat(view.otherTools()).isEmpty();
      assertThat(view.problem()).isNull();
    }
  }

  @Test
  void a_blocked_private_address_has_a_hint_for_the_operator() {
    Agent ada =
        outpost.agent(
            "ada",
            "{name: met, url: 'https://10.1.2.3:8080/mcp'}",
            "{name: open, url: 'http://10.1.2.3:8080/mcp'}");

    for (McpServerConfig server : ada.config().serversOrNone()) {
      assertThatThrownBy(() -> outpost.remote.refresh(ada, server)).isInstanceOf(Fault.class);
    }

    assertThat(outpost.remote.approvals().servers(ada))
        .extracting(RemoteServerApprovals.ServerView::problem)
        .satisfiesExactly(
            met -> assertThat(met).contains("--allow-host 10.1.2.3:8080"),
            open -> assertThat(open).contains("use https", "--allow-host HOST:PORT"));
  }

  @Test
  void a_missing_program_is_reported_before_the_approval() {
    Agent ada = outpost.agent("ada", "{name: box, command: no-such-program}");

    assertThatThrownBy(() -> outpost.look(ada)).hasMessageContaining("is not approved");

    assertThat(outpost.remote.approvals().servers(ada).getFirst().problem())
        .endsWith("and the program is not installed: no-such-program");
  }

  @Test
  void a_url_without_an_mcp_server_is_reported() {
    try (var server = FakeMcpServer.modern()) {
      server.on("server/discover", turn -> turn.status(200, "{\"hello\":\"world\"}"));
      server.on("initialize", turn -> turn.status(200, "<html>hello</html>"));
      Agent ada = outpost.agent("ada", at("met", server));

      assertThatThrownBy(() -> outpost.look(ada))
          .hasMessageContaining("does not seem to be an MCP server");
    }
  }
}
