package dev.substrat.remote;

import static dev.substrat.remote.Outpost.at;
import static dev.substrat.upstream.StrangeServer.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.upstream.StrangeServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What an agent is told that asks for a tool which its servers have not given it.
@OnEveryDatabase
@Requirement("S3-51")
final class LackingToolsTest {
  private final Outpost outpost;

  LackingToolsTest(TestDatabase kind) {
    this.outpost = new Outpost(kind);
  }

  @AfterEach
  void close() throws IOException {
    outpost.close();
  }

  @Test
  void a_server_that_nobody_has_looked_at_yet_is_worth_another_try() throws IOException {
    try (var met = StrangeServer.modern().offers(tool("weather", "Tells the weather."))) {
      Agent ada = outpost.agent("ada", at("met", met));
      assertThat(outpost.remote.lacking(ada))
          .isEqualTo("what MCP server met offers is not known yet, so try again in a moment");

      outpost.look(ada);

      assertThat(outpost.remote.lacking(ada)).isEmpty();
    }
  }

  @Test
  void a_program_that_nobody_has_approved_waits_for_a_person() {
    Agent ada = outpost.agent("ada", "{name: box, command: /bin/sh, args: ['-c', 'exit']}");
    try {
      outpost.look(ada);
    } catch (RuntimeException expected) {
      assertThat(expected).hasMessageContaining("nobody has allowed");
    }

    assertThat(outpost.remote.lacking(ada)).contains("a person has to approve", "box");
  }

  @Test
  void who_has_no_servers_lacks_nothing() {
    assertThat(outpost.remote.lacking(outpost.agent("ada"))).isEmpty();
  }
}
