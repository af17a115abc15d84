package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// Slots are limited, used only during turns, and all of them are used.
@OnEveryDatabase
final class SlotUseTest {
  private static final int CROWD = 50;

  private final TestDatabase place;

  SlotUseTest(TestDatabase place) {
    this.place = place;
  }

  @Test
  @Requirement({"S0-8", "S0-9", "S0-11", "S1-8"})
  void fifty_agents_that_ask_each_other_in_a_ring_all_get_their_answers_on_one_slot()
      throws IOException {
    try (var team = new TestTeam(place.dialect(), 1)) {
      team.agent("{name: mira, provider: {name: scripted, playbook: []}}");
      for (int i = 0; i < CROWD; i++) {
        team.agent(asksItsNeighbour(i));
      }
      var questions = new ArrayList<Message>();
      for (int i = 0; i < CROWD; i++) {
        questions.add(team.ask("a" + i, "round"));
      }
      for (Message question : questions) {
        assertThat(team.answer(question)).contains("aye");
      }
    }
  }

  private static String asksItsNeighbour(int i) {
    return """
    name: a%d
    parent: mira
    provider:
      name: scripted
      playbook:
        - when: { kind: message, from: operator }
          do: [ { call: send_message, with: { recipient: a%d, text: "are you there?" } } ]
        - when: { kind: message }
          do: [ { say: "aye, {{event.from}}" } ]
        - when: { kind: reply }
          do: [ { say: "heard {{event.text}}" } ]
    """
        .formatted(i, (i + 1) % CROWD);
  }

  @Test
  @Requirement({"S0-9"})
  void four_siblings_run_at_the_same_time_on_four_slots() throws IOException {
    try (var team = new TestTeam(place.dialect(), 4)) {
      team.agent("{name: mira, provider: {name: scripted, playbook: []}}");
      for (int i = 0; i < 4; i++) {
        team.agent(
            "{name: a%d, parent: mira, provider: {name: scripted, playbook: [{do: [{hang: true}]}]}}"
                .formatted(i));
        team.ask("a" + i, "think");
      }

      // No turn ends before the test releases it, so all four can only have started if they
      // overlap.
      team.await(() -> team.count("turn_started") == 4);

      assertThat(team.count("turn_ended")).isZero();
      // A turn is in the log shortly before it can be released.
      for (int i = 0; i < 4; i++) {
        var agent = team.agents.require("a" + i).id();
        team.await(() -> team.running.runOf(agent).isPresent());
      }
      for (int i = 0; i < 4; i++) {
        team.running.interrupt(team.agents.require("a" + i).id(), "the test is over");
      }
      team.await(() -> team.count("turn_ended") >= 4);
    }
  }
}
