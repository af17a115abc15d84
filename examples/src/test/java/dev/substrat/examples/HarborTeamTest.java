package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.teamtest.RecordedCall;
import dev.substrat.teamtest.RecordedTurn;
import dev.substrat.teamtest.SentMessage;
import dev.substrat.teamtest.TeamTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class HarborTeamTest {
  private static final Path TEAM = Path.of("teams/harbor.yaml");

  @Test
  void mira_answers_when_engine_and_cargo_are_ready() throws IOException {
    try (var team = TeamTest.start()) {
      team.apply(Files.readString(TEAM));
      SentMessage question = team.ask("mira", "Are we ready to sail?");

      team.runUntilDone();

      assertThat(team.answer(question)).startsWith("Yes, we are ready.").contains("forty crates");
      assertThat(team.turns()).extracting(RecordedTurn::status).containsOnly("done");
      assertThat(team.calls("ada")).extracting(RecordedCall::tool).containsExactly("send_message");
    }
  }

  @Test
  void ada_asks_noor_before_she_answers_mira() throws IOException {
    try (var team = TeamTest.start()) {
      team.apply(Files.readString(TEAM));
      team.ask("mira", "Are we ready to sail?");

      // Ada works for 300 ms before she asks Noor: until then, Noor has no message.
      team.runToRest();
      assertThat(team.messages("noor")).isEmpty();

      team.pass(Duration.ofMillis(500));
      assertThat(team.messages("ada"))
          .extracting(message -> message.from() + " → " + message.to())
          .containsExactly("mira → ada", "ada → noor", "noor → ada", "ada → mira");
    }
  }

  @Test
  void the_operator_gets_a_reply_or_a_notice_despite_failing_agents() throws IOException {
    for (int seed = 1; seed <= 5; seed++) {
      String chaos = "{crash: 0.2, rateLimited: 0.2, malformed: 0.1, slow: 1s, seed: " + seed + "}";
      try (var team = TeamTest.with().chaos(chaos).start()) {
        team.apply(Files.readString(TEAM));
        SentMessage question = team.ask("mira", "Are we ready to sail?");

        team.runUntilDone();

        assertThat(team.messages("operator"))
            .as("seed %d", seed)
            .anyMatch(message -> question.id().equals(message.inReplyTo()));
      }
    }
  }
}
