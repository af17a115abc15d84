package dev.substrat.teamtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.testkit.Requirement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A team runs only inside a run method, and its clock advances only inside `pass`.
@Requirement("N11")
final class TimeTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @Test
  void no_turn_starts_before_a_run_method_is_called() {
    try (var team = TeamTest.start()) {
      team.agent("{name: Ben, provider: {name: scripted, playbook: [{do: [{say: aye}]}]}}");
      SentMessage first = team.ask("ben", "one");
      SentMessage second = team.ask("ben", "two");
      assertThatThrownBy(() -> team.answer(first))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("“one” is stored")
          .hasMessageContaining("Did the team run?");

      team.runToRest();

      assertThat(team.turns("ben")).as("a turn for each question").hasSize(2);
      assertThat(List.of(team.answer(first), team.answer(second))).containsExactly("aye", "aye");
    }
  }

  @Test
  void a_sleeping_agent_wakes_when_the_clock_reaches_its_time() {
    try (var team = TeamTest.start()) {
      team.agent(
          """
          name: Ben
          provider: { name: scripted, playbook: [ { do: [ { sleep: 2m }, { say: seven } ] } ] }
          """);
      SentMessage question = team.ask("ben", "how many ships?");
      team.runToRest();
      team.pass(Duration.ofSeconds(119));
      assertThat(team.message(question.id()).status()).isEqualTo("injected");

      team.pass(Duration.ofSeconds(1));

      assertThat(team.answer(question)).isEqualTo("seven");
      assertThat(team.now()).isEqualTo(NOON.plusSeconds(120));
    }
  }

  @Test
  void a_team_is_idle_while_a_sleeping_turn_holds_the_only_slot() {
    try (var team = TeamTest.start()) {
      team.agent("{name: Ada, provider: {name: scripted, playbook: [{do: [{sleep: 1s}]}]}}");
      team.agent("{name: Ben, provider: {name: scripted, playbook: [{do: [{say: aye}]}]}}");
      team.tell("ada", "sleep");
      SentMessage question = team.ask("ben", "ready?");

      team.runToRest();
      assertThat(team.turns()).extracting(RecordedTurn::agent).containsExactly("ada");

      team.pass(Duration.ofSeconds(1));
      assertThat(team.answer(question)).isEqualTo("aye");
    }
  }

  @Test
  void a_failed_message_is_retried_as_time_passes_and_then_dead() {
    try (var team = TeamTest.start()) {
      team.agent("{name: Ada, provider: {name: scripted, playbook: [{do: [{fail: no coffee}]}]}}");
      SentMessage question = team.ask("ada", "how are you?");
      team.runToRest();
      assertThat(team.turns("ada")).hasSize(1);
      team.pass(Duration.ofSeconds(1));
      assertThat(team.turns("ada")).hasSize(2);

      team.runUntilDone();

      assertThat(team.turns("ada"))
          .extracting(RecordedTurn::reason)
          .hasSize(5)
          .containsOnly("no coffee");
      assertThat(team.message(question.id()).reason()).isEqualTo("no coffee");
      assertThat(team.now()).isEqualTo(NOON.plusSeconds(1 + 2 + 4 + 8));
      assertThatThrownBy(() -> team.answer(question)).hasMessageContaining("No answer will follow");
    }
  }

  @Test
  void a_turn_that_hangs_is_ended_at_its_limit() {
    try (var team = TeamTest.start()) {
      team.agent(
          """
          name: Ada
          limits: { maxTurnSeconds: 60 }
          provider: { name: scripted, playbook: [ { do: [ { hang: true } ] } ] }
          """);
      team.tell("ada", "hello?");
      team.pass(Duration.ofSeconds(61));

      assertThat(team.turns("ada").getFirst().reason()).isEqualTo("the turn took too long");
    }
  }

  @Test
  void reminders_and_deadlines_are_due_on_the_test_clock() {
    try (var team = TeamTest.start()) {
      team.agent(
          """
          name: Mira
          provider:
            name: scripted
            playbook:
              - when: { kind: message }
                do:
                  - { call: remind_me, with: { text: "tide turns", in_seconds: 600 } }
                  - { call: send_message, with: { recipient: Ada, text: "are you there?" } }
              - when: { kind: reminder }
                do: [ { say: "reminded" } ]
              - when: { kind: notice }
                do: [ { say: "notified" } ]
          """);
      team.agent("{name: Ada, parent: mira, provider: {name: external}}");
      team.tell("mira", "go");

      team.pass(Duration.ofMinutes(10));
      assertThat(team.turns("mira"))
          .extracting(RecordedTurn::finalText)
          .containsExactly("", "reminded");
      team.pass(Duration.ofMinutes(20));

      assertThat(team.turns("mira").getLast().finalText()).isEqualTo("notified");
      assertThat(team.turns("mira").getLast().shown().getFirst().text())
          .startsWith("No reply from Ada")
          .endsWith("the deadline for an answer has passed");
    }
  }

  @Test
  void a_team_that_never_becomes_idle_fails_the_test_with_a_description() {
    try (var team = TeamTest.with().turns(10).start()) {
      team.agent("{name: Mira}");
      team.apply(
          """
          - name: Ada
            parent: mira
            provider:
              name: scripted
              playbook:
                - do:
                    - { call: remind_me, with: { text: again, in_seconds: 60 } }
                    - call: send_message
                      with: { recipient: Ben, sync: false, text: "still here {{event.reminder_id}}" }
          - name: Ben
            parent: mira
            provider: { name: scripted, playbook: [] }
          """);
      team.tell("ada", "go");

      assertThatThrownBy(team::runUntilDone)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("does not become idle: it has taken more than 10 turns")
          .hasMessageContaining("ada → ben")
          .hasMessageContaining("ben's turn 4 is done")
          .hasMessageContaining("“still here ");
    }
  }

  @Test
  void on_one_slot_the_same_test_runs_the_same_way_every_time() {
    var runs = new ArrayList<List<String>>();
    for (int i = 0; i < 5; i++) {
      runs.add(story());
    }

    assertThat(runs.getFirst()).hasSizeGreaterThan(20);
    assertThat(runs).allSatisfy(run -> assertThat(run).isEqualTo(runs.getFirst()));
  }

  /// Every agent is asked at once, and each asks another one.
  private static List<String> story() {
    try (var team = TeamTest.start()) {
      team.agent("{name: Mira}");
      var names = List.of("Ada", "Ben", "Noor", "Lars", "Ines");
      for (int i = 0; i < names.size(); i++) {
        team.agent(
            """
            name: %s
            parent: mira
            provider:
              name: scripted
              playbook:
                - when: { kind: message, from: operator }
                  do:
                    - { call: send_message, with: { recipient: %s, text: "you?" } }
                    - { call: send_message, with: { recipient: %s, text: "and you?", sync: false } }
                - when: { kind: reply }
                  do: [ { say: "heard {{event.text}}" } ]
                - do: [ { say: "of {{event.from}}" } ]
            """
                .formatted(names.get(i), names.get((i + 1) % 5), names.get((i + 2) % 5)));
      }
      names.forEach(name -> team.ask(name.toLowerCase(java.util.Locale.ROOT), "go"));
      team.runToRest();
      var lines = new ArrayList<String>();
      team.turns()
          .forEach(turn -> lines.add(turn.agent() + turn.number() + ": " + turn.finalText()));
      team.messages().forEach(message -> lines.add(message.from() + message.to() + message.text()));
      return lines;
    }
  }
}
