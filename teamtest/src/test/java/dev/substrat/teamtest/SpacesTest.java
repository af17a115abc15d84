package dev.substrat.teamtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.substrat.protocol.Fault;
import org.junit.jupiter.api.Test;

/// Posting in spaces and reading their history in a team test.
final class SpacesTest {
  @Test
  void the_history_of_a_space_contains_the_posts_of_people() {
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
      assertThat(team.posts("general"))
          .extracting(post -> post.seq() + " " + post.author() + ": " + post.text())
          .containsExactly("1 ana: who watches?", "2 operator: ada does");
      assertThat(team.posts("general").getLast().parent()).isEqualTo(question.id());
      assertThat(team.posts(crew)).hasSize(1);
    }
  }

  @Test
  void a_test_cannot_post_as_an_agent() {
    try (var team = TeamTest.start()) {
      team.apply("agents: [{name: ada}]");
      team.space("{name: General, members: [ada]}");

      assertThatExceptionOfType(Fault.class)
          .isThrownBy(() -> team.post("ada", "general", "x"))
          .withMessageContaining("a test cannot post as an agent");
    }
  }
}
