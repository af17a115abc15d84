package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestClient;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A message is sent at once: the call waits neither for its recipient nor for anything else.
///
/// The fastest of several calls is measured, so a busy machine does not fail the test, and a tool
/// that waits does.
@OnOneDatabase
@Timeout(300)
final class ToolCallTimeTest {
  private static final int CALLS = 5;
  private static final Duration BOUND = Duration.ofMillis(1_500);

  private final McpTeam team;

  ToolCallTimeTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"S0-7", "S0-10", "S1-7"})
  void a_question_in_a_turn_returns_before_it_is_answered() throws Exception {
    try (var turn = HeldTurn.begin(team.daemon, "mira", "")) {
      assertThat(fastestQuestion(turn.client(), "mira")).isLessThan(BOUND);
      turn.release("done");
    }
  }

  @Test
  @Requirement({"S0-7", "S0-10", "S1-7"})
  void a_question_of_an_external_agent_returns_before_it_is_answered() {
    assertThat(fastestQuestion(team.client("ada"), "ben")).isLessThan(BOUND);
  }

  /// The recipient never reads its inbox, so no answer can end a wait.
  private static Duration fastestQuestion(TestClient sender, String recipient) {
    return IntStream.range(0, CALLS)
        .mapToObj(number -> {
          String call =
              """
              {"name":"send_message","arguments":{"recipient":"%s","text":"question %d","sync":true}}\
              """
                  .formatted(recipient, number);
          long start = System.nanoTime();
          var answer = sender.post("/mcp", McpTeam.request("tools/call", call)).body();
          Duration taken = Duration.ofNanos(System.nanoTime() - start);
          assertThat(answer.at("/result/structuredContent/status").asText())
              .as("%s", answer)
              .isEqualTo("sent");
          return taken;
        })
        .min(Duration::compareTo)
        .orElseThrow();
  }
}
