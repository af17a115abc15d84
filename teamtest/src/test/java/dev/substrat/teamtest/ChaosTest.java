package dev.substrat.teamtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.testkit.Requirement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Injected failures of scripted agents and their effects on the team.
@Requirement("N11")
final class ChaosTest {
  private static final List<String> ENDS = List.of("replied", "expired", "dead");

  @Test
  void a_malformed_call_returns_an_error_and_the_turn_continues() {
    try (var team = TeamTest.start()) {
      team.agent(
          """
          name: Ada
          provider:
            name: scripted
            chaos: { malformed: 1 }
            playbook:
              - do:
                  - { call: remind_me, with: { text: tide, in_seconds: 60 }, save: answer }
                  - { say: "{{answer.code}}" }
          """);
      SentMessage question = team.ask("ada", "go");

      team.runToRest();

      assertThat(team.answer(question)).isEqualTo("INVALID_ARGUMENTS");
      assertThat(team.calls("ada"))
          .extracting(RecordedCall::error)
          .containsExactly("INVALID_ARGUMENTS");
      assertThat(team.record(team.turns("ada").getFirst()))
          .extracting(line -> line.type())
          .containsExactly("tool_call_message", "tool_return_message", "assistant_message");
    }
  }

  @ParameterizedTest
  @CsvSource({"rateLimited,429", "fail,failure", "crash,crash"})
  void a_failing_agent_is_retried_and_after_five_failures_the_asker_gets_a_notice(
      String way, String reason) {
    try (var team = TeamTest.start()) {
      team.agent(
          "{name: Ada, provider: {name: scripted, chaos: {%s: 1}, playbook: [{do: [{say: aye}]}]}}"
              .formatted(way));
      SentMessage question = team.ask("ada", "ready?");
      team.runToRest();
      assertThat(team.turns("ada")).extracting(RecordedTurn::status).containsExactly("failed");
      assertThat(team.turns("ada").getFirst().reason()).contains(reason);

      team.runUntilDone();

      assertThat(team.turns("ada")).hasSize(5);
      assertThat(team.message(question.id()).status()).isEqualTo("dead");
      assertThat(team.messages("operator").getLast().text())
          .startsWith("No reply from Ada")
          .contains(reason);
    }
  }

  @Test
  void a_slow_agent_pauses_before_each_step() {
    try (var team = TeamTest.with().chaos("{slow: 500ms}").start()) {
      team.agent(
          """
          name: Ada
          provider:
            name: scripted
            playbook:
              - do:
                  - { call: remind_me, with: { text: tide, in_seconds: 86400 } }
                  - { say: aye }
          """);
      SentMessage question = team.ask("ada", "go");
      team.pass(Duration.ofMillis(999));
      assertThat(team.message(question.id()).status()).isEqualTo("injected");

      team.pass(Duration.ofMillis(1));

      assertThat(team.answer(question)).isEqualTo("aye");
    }
  }

  @Test
  void the_same_seed_gives_the_same_failures_and_a_retry_gets_others() {
    List<String> once = statuses(7);

    assertThat(statuses(7)).isEqualTo(once);
    assertThat(statuses(8)).isNotEqualTo(once);
    assertThat(once).contains("done", "failed");
  }

  /// Statuses of the turns of an agent that is asked ten questions, one after the other.
  private static List<String> statuses(int seed) {
    try (var team =
        TeamTest.with().chaos("{fail: 0.3, crash: 0.2, seed: %d}".formatted(seed)).start()) {
      team.agent("{name: Ada, provider: {name: scripted, playbook: [{do: [{say: aye}]}]}}");
      for (int i = 0; i < 10; i++) {
        team.ask("ada", "question " + i);
        team.runUntilDone();
      }
      return team.turns("ada").stream().map(RecordedTurn::status).toList();
    }
  }

  @ParameterizedTest
  @EnumSource
  @Requirement({"N1", "N2"})
  void a_team_of_six_under_heavy_chaos_becomes_idle_and_every_question_gets_an_answer_or_a_notice(
      DatabaseKind base) {
    var names = List.of("Ada", "Ben", "Noor", "Lars", "Ines");
    String chaos =
        "{crash: 0.15, fail: 0.15, rateLimited: 0.15, malformed: 0.15, slow: 200ms, seed: 3}";
    try (var team = base.fresh().slots(2).chaos(chaos).start()) {
      team.agent(asking("Mira", "", "Ada", "Ben"));
      for (int i = 0; i < names.size(); i++) {
        team.agent(
            asking(names.get(i), "parent: mira", names.get((i + 1) % 5), names.get((i + 3) % 5)));
      }
      team.ask("mira", "how is the harbor?");
      names.forEach(name -> team.ask(name.toLowerCase(Locale.ROOT), "how are you?"));

      team.runUntilDone();

      List<SentMessage> messages = team.messages();
      assertThat(team.turns()).extracting(RecordedTurn::status).contains("failed", "done");
      assertThat(messages)
          .filteredOn(SentMessage::isQuestion)
          .hasSizeGreaterThan(6)
          .allSatisfy(question -> {
            assertThat(question.status()).isIn(ENDS);
            assertThat(messages)
                .as("reply or notice for " + question)
                .anyMatch(later ->
                    question.id().equals(later.inReplyTo()) && later.to().equals(question.from()));
          });
    }
  }

  /// An agent that forwards each question to two others and reports their replies.
  private static String asking(String name, String parent, String first, String second) {
    return """
    name: %s
    %s
    provider:
      name: scripted
      playbook:
        - when: { kind: message, from: operator }
          do:
            - { call: send_message, with: { recipient: %s, text: "{{event.text}}" } }
            - { call: send_message, with: { recipient: %s, text: "{{event.text}}" } }
        - when: { kind: message }
          do: [ { say: fine } ]
        - when: { kind: reply }
          do: [ { say: "{{event.from}} is {{event.text}}" } ]
        - when: { kind: notice }
          do: [ { say: "{{event.text}}" } ]
    """
        .formatted(name, parent, first, second);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {crash: 1.5}              | /provider/chaos/crash is 1.5, but must be a number from 0 to 1
          {fail: -0.1}              | /provider/chaos/fail is -0.1, but must be a number from 0 to 1
          {crash: 0.6, fail: 0.6}   | the sum of crash, fail and rateLimited is more than 1
          {slow: soon}              | "soon" is not a duration
          {slowly: 5s}              | /provider/chaos
          {malformed: often}        | /provider/chaos/malformed
          7                         | /provider/chaos
          """)
  void invalid_chaos_settings_are_rejected(String chaos, String message) {
    try (var team = TeamTest.start()) {
      assertThatThrownBy(() ->
              team.agent("{name: Ada, provider: {name: scripted, chaos: %s}}".formatted(chaos)))
          .hasMessageContaining("INVALID_CONFIG")
          .hasMessageContaining(message);
    }
  }
}
