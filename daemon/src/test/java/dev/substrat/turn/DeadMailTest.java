package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.message.Messages;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What comes after mail that has come to nothing.
@OnEveryDatabase
final class DeadMailTest {
  private final TestTeam team;

  DeadMailTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement("N2")
  void who_asks_again_whenever_there_is_no_answer_runs_in_a_circle() {
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

  private void tell(String agent) {
    team.messages.fromOperator(agent, new Messages.Note("go", false, null), null);
  }
}
