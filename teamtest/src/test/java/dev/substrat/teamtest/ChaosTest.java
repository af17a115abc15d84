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

/// Minds that misbehave, and what becomes of it.
@Requirement("N11")
final class ChaosTest {
  private static final List<String> ENDS = List.of("replied", "expired", "dead");

  @Test
  void a_malformed_call_comes_back_as_an_error_and_the_turn_goes_on() {
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
  @CsvSource({"rateLimited,429", "fail,failed", "crash,crashed"})
  void a_mind_that_gives_up_is_asked_again_after_a_while_and_at_last_the_asker_is_told(
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
      assertThat(team.letter(question.id()).status()).isEqualTo("dead");
      assertThat(team.mail("operator").getLast().text())
          .startsWith("No reply from Ada")
          .contains(reason);
    }
  }

  @Test
  void a_slow_mind_takes_its_time_before_each_step() {
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
      assertThat(team.letter(question.id()).status()).isEqualTo("injected");

      team.pass(Duration.ofMillis(1));

      assertThat(team.answer(question)).isEqualTo("aye");
    }
  }

  @Test
  void the_same_seed_brings_the_same_fate_and_a_retry_another() {
    List<String> once = fates(7);

    assertThat(fates(7)).isEqualTo(once);
    assertThat(fates(8)).isNotEqualTo(once);
    assertThat(once).contains("done", "failed");
  }

  /// How the turns go of somebody who is asked ten things, one after the other.
  private static List<String> fates(int seed) {
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
  void a_team_of_six_under_heavy_chaos_comes_to_rest_and_everyone_is_answered_or_told(Base base) {
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

      List<SentMessage> mail = team.mail();
      assertThat(team.turns()).extracting(RecordedTurn::status).contains("failed", "done");
      assertThat(mail)
          .filteredOn(SentMessage::isQuestion)
          .hasSizeGreaterThan(6)
          .allSatisfy(question -> {
            assertThat(question.status()).isIn(ENDS);
            assertThat(mail)
                .as("what became of " + question)
                .anyMatch(later ->
                    question.id().equals(later.inReplyTo()) && later.to().equals(question.from()));
          });
    }
  }

  /// Asks two others whatever it is asked, and says what it heard.
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
          {crash: 1.5}              | /provider/chaos/crash is 1.5, not a number from 0 to 1
          {fail: -0.1}              | /provider/chaos/fail is -0.1, not a number from 0 to 1
          {crash: 0.6, fail: 0.6}   | crash, fail and rateLimited together are more than 1
          {slow: soon}              | "soon" is no duration
          {slowly: 5s}              | /provider/chaos
          {malformed: often}        | /provider/chaos/malformed
          7                         | /provider/chaos
          """)
  void chaos_that_makes_no_sense_is_refused(String chaos, String message) {
    try (var team = TeamTest.start()) {
      assertThatThrownBy(() ->
              team.agent("{name: Ada, provider: {name: scripted, chaos: %s}}".formatted(chaos)))
          .hasMessageContaining("INVALID_CONFIG")
          .hasMessageContaining(message);
    }
  }
}
