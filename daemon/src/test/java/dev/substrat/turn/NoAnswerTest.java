package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Message.MessageStatus;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.RunId;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Unanswered questions: the asker gets a notice, and endless exchanges are held.
@OnEveryDatabase
final class NoAnswerTest {
  private final TestTeam team;

  NoAnswerTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement("N1")
  void an_unanswered_question_gives_its_asker_a_notice_at_the_deadline() {
    agent("mira", null, asks("ada", "message", "x") + says("notice", "told: {{event.text}}"));
    team.agent(
        "{name: ada, parent: mira, provider: {name: scripted, playbook: [{do: [{fail: broken}]}]}}");
    var question = team.ask("mira", "x");
    team.await(() -> team.count("turn_ended") >= 2);

    team.clock.pass(Duration.ofMinutes(31));
    assertThat(team.messages.expire()).isEqualTo(2);

    assertThat(team.messages.require(question.id()).status()).isEqualTo(MessageStatus.EXPIRED);
  }

  @Test
  void an_empty_final_text_gives_the_asker_a_no_answer_notice() {
    agent("mira", null, asks("ada", "message", "x") + says("notice", "told: {{event.text}}"));
    team.agent("{name: ada, parent: mira, provider: {name: scripted, playbook: []}}");

    var answer = team.answer(team.ask("mira", "x"));

    assertThat(answer).startsWith("told: No reply from ada").contains("without an answer");
  }

  @Test
  void termination_gives_all_waiting_askers_a_notice() {
    agent("mira", null, asks("ada", "message", "x") + says("notice", "told: {{event.text}}"));
    team.agent(
        "{name: ada, parent: mira, provider: {name: scripted, playbook: [{do: [{fail: x}]}]}}");
    var question = team.ask("mira", "x");
    team.await(() -> team.count("turn_ended") >= 2);

    team.agents.terminate("ada");

    assertThat(team.answer(question)).contains("it was terminated");
  }

  @Test
  @Requirement("N2")
  void an_endless_exchange_is_held_and_a_person_can_release_it() {
    agent("mira", null, "");
    for (String[] pair : new String[][] {{"ada", "ben"}, {"ben", "ada"}}) {
      team.agent(
          """
          name: %s
          parent: mira
          provider:
            name: scripted
            playbook:
              - do: [ { call: send_message, with: { recipient: %s, sync: false, text: "ping {{event.message_id}}" } } ]
          """
              .formatted(pair[0], pair[1]));
    }
    team.messages.fromOperator("ada", new Messages.PersonMessage("go", false, null), null);

    team.await(() -> !team.messages.held(10).isEmpty());

    Message held = team.messages.held(10).getFirst();
    assertThat(held.heldReason()).contains("only to each other").contains("ada → ben");
    long turns = team.count("turn_ended");
    team.messages.release(held.id());
    team.await(() -> team.count("turn_ended") > turns);
  }

  @Test
  @Requirement("N1")
  void the_asker_gets_a_notice_with_the_reason_at_the_deadline() {
    Agent mira =
        team.agent(
            "name: mira\nprovider:\n  name: scripted\n  playbook:\n"
                + asks("ada", "message", "x").indent(4));
    team.agent("{name: ada, parent: mira, provider: {name: external}}");
    team.messages.fromOperator("mira", new Messages.PersonMessage("go", false, null), null);
    team.await(() -> team.count("turn_ended") == 1);

    team.clock.pass(Duration.ofMinutes(29));
    assertThat(sweep()).isZero();
    assertThat(team.runs.newest(mira.id(), 10)).as("the deadline is 30 minutes").hasSize(1);

    team.clock.pass(Duration.ofMinutes(2));
    assertThat(sweep()).isEqualTo(1);
    team.await(() -> team.count("turn_ended") == 2);

    RunInputEvents.RecordedEvent notice =
        team.runs.given(new RunId(team.runs.newest(mira.id(), 10).getFirst().id())).getFirst();
    assertThat(notice.kind()).isEqualTo("notice");
    assertThat(notice.payload().path("text").asText())
        .startsWith("No reply from ada (to message ")
        .endsWith("): the deadline for an answer has passed");
    assertThat(sweep()).as("one notice").isZero();
    assertThat(team.runs.newest(mira.id(), 10)).hasSize(2);
  }

  /// Does what is due; returns how much that was.
  private int sweep() {
    return team.engine.sweeps().stream().mapToInt(IntSupplier::getAsInt).sum();
  }

  private void agent(String name, @Nullable String parent, String rules) {
    team.agent(
        "name: %s\n%sprovider:\n  name: scripted\n  playbook:\n%s"
            .formatted(
                name,
                parent == null ? "" : "parent: " + parent + "\n",
                rules.isEmpty() ? "    []\n" : rules.indent(4)));
  }

  private static String asks(String recipient, String kind, String text) {
    return """
    - when: { kind: %s }
      do: [ { call: send_message, with: { recipient: %s, text: "%s" } } ]
    """
        .formatted(kind, recipient, text);
  }

  private static String says(String kind, String text) {
    return """
    - when: { kind: %s }
      do: [ { say: "%s" } ]
    """
        .formatted(kind, text);
  }
}
