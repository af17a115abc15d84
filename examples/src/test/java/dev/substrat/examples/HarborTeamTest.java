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
  void noor_looks_at_the_engine_before_mira_hears_of_it() throws IOException {
    try (var team = TeamTest.start()) {
      team.apply(Files.readString(TEAM));
      team.ask("mira", "Are we ready to sail?");

      // Ada works for 300 ms before she asks Noor: without time passing, nobody else has begun.
      team.runToRest();
      assertThat(team.mail("noor")).isEmpty();

      team.pass(Duration.ofMillis(500));
      assertThat(team.mail("ada"))
          .extracting(letter -> letter.from() + " → " + letter.to())
          .containsExactly("mira → ada", "ada → noor", "noor → ada", "ada → mira");
    }
  }

  @Test
  void whatever_happens_to_their_minds_the_person_hears_something() throws IOException {
    for (int seed = 1; seed <= 5; seed++) {
      String chaos = "{crash: 0.2, rateLimited: 0.2, malformed: 0.1, slow: 1s, seed: " + seed + "}";
      try (var team = TeamTest.with().chaos(chaos).start()) {
        team.apply(Files.readString(TEAM));
        SentMessage question = team.ask("mira", "Are we ready to sail?");

        team.runUntilDone();

        assertThat(team.mail("operator"))
            .as("seed %d", seed)
            .anyMatch(letter -> question.id().equals(letter.inReplyTo()));
      }
    }
  }
}
