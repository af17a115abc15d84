package dev.substrat.teamtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.testkit.Requirement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Plans fire when a test advances the clock.
@Requirement("N11")
final class PlanTest {
  @Test
  @Requirement({"S3-30", "S3-32"})
  void a_plan_wakes_its_agent_when_the_clock_reaches_its_time() {
    try (var team = TeamTest.start()) {
      team.agent(
          """
          name: Ada
          toolsets: [goals]
          provider:
            name: scripted
            playbook:
              - when: { kind: plan }
                do: [ { say: "{{event.name}}: {{event.text}}" } ]
              - do:
                  - call: set_plans
                    with: { plans: [ { name: tide, instruction: look, cron: "0 18 * * *" } ] }
                  - call: get_plans
          """);
      team.tell("ada", "plan your day");
      team.runToRest();
      assertThat(team.calls("ada").getLast().result().at("/plans/0/nextRunAt").asText())
          .isEqualTo("2026-01-01T18:00:00Z");

      team.pass(Duration.ofHours(6).minusMillis(1));
      assertThat(team.turns("ada")).hasSize(1);
      team.pass(Duration.ofMillis(1));
      assertThat(team.turns("ada").getLast().finalText()).isEqualTo("tide: look");

      team.pass(Duration.ofDays(2));
      assertThat(team.turns("ada")).hasSize(4);
    }
  }

  @Test
  @Requirement("A12")
  void a_retried_turn_sets_its_plan_once() {
    try (var team = TeamTest.start()) {
      team.agent(
          """
          name: Ada
          toolsets: [goals]
          provider:
            name: scripted
            playbook:
              - when: { kind: plan }
                do: [ { say: "here" } ]
              - do:
                  - call: set_plans
                    with: { plans: [ { name: tide, instruction: look, runAfter: 1h } ] }
                  - fail: out of breath
          """);
      team.tell("ada", "plan your day");

      team.runUntilDone();

      assertThat(team.calls("ada")).as("one for each attempt").hasSize(5);
      assertThat(team.calls("ada").stream().map(RecordedCall::result).distinct()).hasSize(1);
      assertThat(team.turns("ada").stream().filter(turn -> turn.finalText().equals("here")))
          .hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"1000, it has taken more than 20 turns", "1, something was due 201 times"})
  void a_plan_that_never_ends_fails_the_test(int budget, String why) {
    try (var team = TeamTest.with().turns(20).start()) {
      team.agent(
          """
          name: Ben
          toolsets: [goals]
          limits: { budgetTurns: %d }
          provider:
            name: scripted
            playbook:
              - when: { kind: message }
                do:
                  - call: set_plans
                    with: { plans: [ { name: tide, instruction: look, cron: "* * * * *" } ] }
          """
              .formatted(budget));
      team.tell("ben", "plan your day");

      assertThatThrownBy(team::runUntilDone)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("the team does not become idle: " + why);
    }
  }
}
