package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message.MessageStatus;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import dev.substrat.turn.run.Run;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
final class TurnDispatcherTest {
  private final TestTeam team;

  TurnDispatcherTest(TestDatabase place) {
    // One slot: an agent that held it while waiting would block all others.
    this.team = new TestTeam(place.dialect(), 1);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void the_final_text_answers_a_question() {
    team.agent("{name: ada, provider: {name: scripted, playbook: [{do: [{say: 'all is well'}]}]}}");

    assertThat(team.answer(team.ask("ada", "how are you?"))).isEqualTo("all is well");
  }

  @Test
  @Requirement({"S0-10", "S0-11", "S0-12", "S0-14"})
  void a_delegated_question_is_answered_in_a_later_turn() {
    team.agent(
        """
        name: mira
        provider:
          name: scripted
          playbook:
            - when: { kind: message }
              do:
                - call: send_message
                  with: { recipient: ben, text: "{{event.text}}" }
                  save: sent
                - say: "{{sent.status}} {{sent.waiting_for_reply}}"
            - when: { kind: reply, from: ben }
              do: [ { say: "ben says {{event.text}}" } ]
        """);
    team.agent(
        "{name: ben, parent: mira, provider: {name: scripted, playbook: [{do: [{say: 'aye'}]}]}}");

    var question = team.ask("mira", "ready?");

    assertThat(team.answer(question)).isEqualTo("ben says aye");
    team.await(() -> team.count("turn_ended") == 3);
    assertThat(team.runs.newest(null, 10))
        .extracting(Run::agent)
        .containsExactly("mira", "ben", "mira");
    assertThat(team.status(question)).isEqualTo(MessageStatus.REPLIED);
  }

  @Test
  void a_failing_message_is_tried_five_times_and_then_dead_with_the_reason() {
    team.agent("{name: ada, provider: {name: scripted, playbook: [{do: [{fail: 'no coffee'}]}]}}");

    var question = team.ask("ada", "how are you?");

    for (int attempt = 1; attempt <= 5; attempt++) {
      int soFar = attempt;
      team.await(() -> team.count("turn_ended") == soFar);
      team.clock.pass(Duration.ofSeconds(8));
    }
    assertThat(team.messages.require(question.id()))
        .satisfies(message -> {
          assertThat(message.status()).isEqualTo(MessageStatus.DEAD);
          assertThat(message.deadReason()).isEqualTo("no coffee");
        });
    assertThat(team.count("message_dead")).isEqualTo(1);
  }

  @Test
  void a_crash_of_the_provider_is_a_failed_turn() {
    team.agent("{name: ada, provider: {name: scripted, playbook: [{do: [{crash: true}]}]}}");
    team.agent("{name: ben, provider: {name: scripted, playbook: [{do: [{say: aye}]}]}}");

    team.ask("ada", "how are you?");

    assertThat(team.answer(team.ask("ben", "ready?"))).isEqualTo("aye");
    team.await(() -> team.count("turn_ended") == 2);
    assertThat(team.runs.newest(null, 10)).extracting(Run::status).contains("failed", "done");
  }

  @Test
  void a_message_that_waits_for_its_next_attempt_is_not_answered_by_another_turn() {
    team.agent(
        """
        name: ada
        provider:
          name: scripted
          playbook:
            - when: { text: fail }
              do: [ { fail: "not now" } ]
            - do: [ { say: "done: {{event.text}}" } ]
        """);
    var failing = team.ask("ada", "fail");
    team.await(() -> team.count("turn_ended") == 1);

    assertThat(team.answer(team.ask("ada", "other"))).isEqualTo("done: other");

    assertThat(team.messages.findReply(failing.id())).isEmpty();
    assertThat(team.status(failing)).isNotEqualTo(MessageStatus.REPLIED);
  }

  @Test
  void a_tool_error_is_returned_to_the_agent_and_the_turn_continues() {
    team.agent(
        """
        name: ada
        provider:
          name: scripted
          playbook:
            - do:
                - call: send_message
                  with: { recipient: nobody, text: hello }
                  save: first
                - call: send_message
                  with: { recipient: nobody, txt: hello }
                  save: second
                - call: fly
                  save: third
                - say: "{{first.code}} {{second.code}} {{third.code}}"
        """);

    assertThat(team.answer(team.ask("ada", "go")))
        .isEqualTo("RECIPIENT_UNREACHABLE INVALID_ARGUMENTS UNKNOWN_TOOL");
  }

  @Test
  @Requirement("N1")
  void each_delivery_step_of_a_message_is_recorded() {
    team.agent("{name: ada, provider: {name: scripted, playbook: [{do: [{say: aye}]}]}}");
    var question = team.ask("ada", "ready?");
    team.answer(question);
    team.await(() -> team.count("turn_ended") == 1);

    assertThat(team.messages.require(question.id()).history())
        .extracting(step -> step.status())
        .containsExactly(
            MessageStatus.STORED,
            MessageStatus.CLAIMED,
            MessageStatus.INJECTED,
            MessageStatus.READ,
            MessageStatus.REPLIED);
  }
}
