package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.teamtest.RecordedTurn;
import dev.substrat.teamtest.SentMessage;
import dev.substrat.teamtest.SpacePost;
import dev.substrat.teamtest.TeamTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The teams of docs/scenarios behave as described on their pages.
final class ScenarioTeamsTest {
  private static void apply(TeamTest team, String file) throws IOException {
    team.apply(Files.readString(Path.of("scenarios", file)));
  }

  @Test
  void a_cycle_of_questions_is_answered() throws IOException {
    try (var team = TeamTest.with().slots(1).start()) {
      apply(team, "circle.yaml");
      SentMessage question = team.ask("ada", "start");
      team.runUntilDone();
      assertThat(team.answer(question)).isEqualTo("ada heard: ben heard: noor heard: ada's word");
    }
  }

  @Test
  void a_message_during_a_turn_is_read_in_the_next_turn() throws IOException {
    try (var team = TeamTest.start()) {
      apply(team, "busy.yaml");
      team.tell("kaja", "one");
      team.runToRest();
      team.tell("kaja", "two");
      SentMessage question = team.ask("kaja", "three");
      team.runUntilDone();
      assertThat(team.answer(question)).isEqualTo("read: three");
    }
  }

  @Test
  void three_answer_a_broadcast() throws IOException {
    try (var team = TeamTest.start()) {
      apply(team, "broadcast.yaml");
      team.tell("mate", "How is it going?");
      team.runUntilDone();
      assertThat(team.messages("mate"))
          .filteredOn(message -> message.kind().equals("reply"))
          .extracting(message -> message.from() + ": " + message.text())
          .containsExactlyInAnyOrder(
              "engine: the engine runs", "cargo: the cargo is aboard", "review: nothing to object");
    }
  }

  @Test
  void a_question_to_a_person_blocks_no_agent() throws IOException {
    try (var team = TeamTest.start()) {
      apply(team, "approval.yaml");
      team.tell("gatekeeper", "open the gate");
      team.runToRest();
      SentMessage question = team.ask("gatekeeper", "and the weather?");
      team.runToRest();
      assertThat(team.answer(question)).isEqualTo("Meanwhile: and the weather?");
    }
  }

  @Test
  void a_space_where_every_agent_answers_becomes_idle() throws IOException {
    try (var team = TeamTest.start()) {
      apply(team, "lounge.yaml");
      team.post("operator", "lounge", "Good morning");
      team.runUntilDone();
      assertThat(team.posts("lounge"))
          .extracting(SpacePost::text)
          .contains("tom agrees", "tam agrees");
      assertThat(team.turns()).extracting(RecordedTurn::status).containsOnly("done");
    }
  }
}
