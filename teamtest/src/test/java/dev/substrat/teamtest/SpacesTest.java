package dev.substrat.teamtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.substrat.protocol.Fault;
import org.junit.jupiter.api.Test;

/// Spaces in a team test: people talk, agents hear them, and the test reads what was said.
final class SpacesTest {
  @Test
  void a_person_says_something_and_the_history_has_it() {
    try (var team = TeamTest.start()) {
      team.apply(
          """
          agents:
            - name: ada
          spaces:
            - name: General
              members: [ada, ana]
          """);
      String crew = team.space("{name: Crew, kind: private, members: [ada, operator]}");

      SpacePost question = team.post("ana", "general", "who watches?");
      team.post("operator", question, "ada does");
      team.post("operator", crew, "thank you");

      assertThat(crew).isEqualTo("crew");
      assertThat(team.said("general"))
          .extracting(said -> said.seq() + " " + said.author() + ": " + said.text())
          .containsExactly("1 ana: who watches?", "2 operator: ada does");
      assertThat(team.said("general").getLast().parent()).isEqualTo(question.id());
      assertThat(team.said(crew)).hasSize(1);
    }
  }

  @Test
  void nobody_speaks_for_an_agent() {
    try (var team = TeamTest.start()) {
      team.apply("agents: [{name: ada}]");
      team.space("{name: General, members: [ada]}");

      assertThatExceptionOfType(Fault.class)
          .isThrownBy(() -> team.post("ada", "general", "x"))
          .withMessageContaining("agents speak for themselves");
    }
  }
}
