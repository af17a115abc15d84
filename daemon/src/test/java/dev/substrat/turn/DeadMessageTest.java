package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.Event;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Effects of dead messages on later ones.
@OnEveryDatabase
final class DeadMessageTest {
  private final TestTeam team;

  DeadMessageTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement("N2")
  void repeated_questions_after_no_answer_notices_are_held_as_a_loop() {
    team.agent(
        """
        name: mira
        provider:
          name: scripted
          playbook:
            - do: [ { call: send_message, with: { recipient: ben, text: once more } } ]
        """);
    team.agent("{name: ben, parent: mira, provider: {name: scripted, playbook: [{do: []}]}}");

    tell("mira");

    team.await(() -> !team.messages.held(10).isEmpty());
    assertThat(team.messages.held(10))
        .singleElement()
        .satisfies(held -> {
          assertThat(held.text()).isEqualTo("once more");
          assertThat(held.heldReason()).contains("mira → ben");
        });
  }

  @Test
  @Requirement({"N1", "N2"})
  void a_dead_message_is_no_longer_held() {
    team.agent(
        """
        name: mira
        provider:
          name: scripted
          playbook:
            - do: [ { call: send_message, with: { recipient: ben, text: once more } } ]
        """);
    team.agent("{name: ben, parent: mira, provider: {name: scripted, playbook: [{do: []}]}}");
    tell("mira");
    team.await(() -> !team.messages.held(10).isEmpty());
    Message held = team.messages.held(10).getFirst();

    team.agents.terminate("ben");

    assertThat(team.messages.require(held.id()).status()).isEqualTo(Message.MessageStatus.DEAD);
    assertThat(team.messages.held(10)).isEmpty();
    assertThatThrownBy(() -> team.messages.release(held.id())).hasMessageContaining("not held");
  }

  @Test
  void a_question_to_a_person_that_was_held_can_be_answered_once_it_is_released() {
    team.agent(
        """
        name: mira
        provider:
          name: scripted
          playbook:
            - when: { kind: reply }
              do: [ { say: thanks } ]
            - do: [ { call: send_message, with: { recipient: operator, text: once more } } ]
        """);
    tell("mira");
    for (int turn = 1; turn <= 4; turn++) {
      int soFar = turn;
      team.await(() -> team.count("turn_ended") == soFar);
      team.clock.pass(Duration.ofMinutes(31));
      team.messages.expire();
    }
    Message held = team.messages.held(10).getFirst();

    team.messages.release(held.id());

    team.await(() -> team.count("message_released") == 1);
    assertThat(team.engine.events().after(0, Event.EventFilter.NONE, 500))
        .filteredOn(event -> event.kind().equals("message_released"))
        .singleElement()
        .as("the sender is notified, too")
        .satisfies(event -> assertThat(event.peer()).isEqualTo(held.sender()));
    assertThat(team.engine.inspection().of(team.agents.require("mira")).state())
        .isEqualTo("waiting");
    tell("mira");
    assertThat(team.messages.findReply(held.id())).isPresent();
  }

  @Test
  void a_dead_broadcast_cannot_be_answered() {
    team.agent("{name: mira, provider: {name: scripted, playbook: []}}");
    team.agent(
        """
        name: ada
        parent: mira
        provider:
          name: scripted
          playbook:
            - when: { from: operator }
              do: [ { call: broadcast, with: { text: "lunch?" } } ]
        """);
    team.agent(
        """
        name: ben
        parent: mira
        provider:
          name: scripted
          playbook:
            - when: { kind: broadcast }
              do: [ { fail: "no coffee" } ]
            - when: { from: operator }
              do: [ { call: send_message, with: { recipient: ada, text: news, sync: false } } ]
        """);
    tell("ada");
    for (int attempt = 1; attempt <= 5; attempt++) {
      int soFar = attempt + 1;
      team.await(() -> team.count("turn_ended") == soFar);
      team.clock.pass(Duration.ofSeconds(8));
    }

    tell("ben");

    team.await(() -> team.count("turn_ended") == 8);
    assertThat(team.messages.of(team.agents.require("ben").id(), 10))
        .filteredOn(message -> message.text().equals("news"))
        .extracting(Message::kind)
        .containsExactly(Message.MessageKind.MESSAGE);
  }

  private void tell(String agent) {
    team.messages.fromOperator(agent, new Messages.PersonMessage("go", false, null), null);
  }
}
