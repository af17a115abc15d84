package dev.substrat.toolset.remote;

import static dev.substrat.toolset.remote.Outpost.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.mcp.client.StrangeServer;
import dev.substrat.protocol.Fault;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.team.toolconfig.McpServerConfig;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What people are told about a server of which an agent may have a part only, or nothing.
@OnEveryDatabase
final class AllowedToolsTest {
  private final Outpost outpost;

  AllowedToolsTest(TestDatabase kind) {
    this.outpost = new Outpost(kind);
  }

  @AfterEach
  void close() throws IOException {
    outpost.close();
  }

  @Test
  void what_is_not_allowed_is_named_apart_and_a_misspelt_name_is_missed() {
    try (var server = StrangeServer.modern()) {
      Agent ada = outpost.agent("ada", at("met", server, "allowedTools: [wether]"));
      outpost.look(ada);

      RemoteServerApprovals.ServerView view = outpost.remote.approvals().servers(ada).getFirst();
      assertThat(view.tools()).isEmpty();
      assertThat(view.otherTools()).containsExactly("weather");
      assertThat(view.problem()).contains("it does not have: wether", "allowedTools");
    }
  }

  @Test
  void one_who_has_all_that_is_wanted_has_no_problem() {
    try (var server = StrangeServer.modern()) {
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
  void a_private_address_is_said_to_need_the_operator() {
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
  void a_program_that_is_not_there_is_missed_before_anybody_approves_it() {
    Agent ada = outpost.agent("ada", "{name: box, command: no-such-program}");

    assertThatThrownBy(() -> outpost.look(ada)).hasMessageContaining("is not approved");

    assertThat(outpost.remote.approvals().servers(ada).getFirst().problem())
        .endsWith("and the program is not installed: no-such-program");
  }

  @Test
  void what_is_no_server_at_all_is_said_to_look_like_none() {
    try (var server = StrangeServer.modern()) {
      server.on("server/discover", turn -> turn.status(200, "{\"hello\":\"world\"}"));
      server.on("initialize", turn -> turn.status(200, "<html>hello</html>"));
      Agent ada = outpost.agent("ada", at("met", server));

      assertThatThrownBy(() -> outpost.look(ada))
          .hasMessageContaining("does not seem to be an MCP server");
    }
  }
}
