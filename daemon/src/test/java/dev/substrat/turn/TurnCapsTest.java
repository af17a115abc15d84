package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Limits of one turn, which is not retried after it reached them.
@OnEveryDatabase
@Requirement({"S0-35", "S1-22"})
final class TurnCapsTest {
  private final TestTeam team;

  TurnCapsTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void a_turn_over_the_step_limit_ends_and_its_asker_gets_a_notice() {
    agent("{maxStepsPerTurn: 2}", "{call: list_children}, {call: list_children}, {say: aye}");

    assertThat(dead(team.ask("ada", "go")))
        .isEqualTo("LIMIT_REACHED: the turn has taken 2 steps (limits.maxStepsPerTurn)");
    assertThat(team.runs.newest(null, 10)).hasSize(1);
  }

  @Test
  void a_turn_over_the_token_limit_ends_before_using_them() {
    agent("{maxTokensPerTurn: 1500}", "{use: {tokens: 1000}}, {use: {tokens: 1000}}, {say: aye}");

    assertThat(dead(team.ask("ada", "go")))
        .isEqualTo(
            "LIMIT_REACHED: the turn has used 1000 of 1500 tokens (limits.maxTokensPerTurn), and"
                + " this step may need 1000");
    assertThat(team.runs.newest(null, 10)).hasSize(1);
  }

  @Test
  void a_message_over_the_limit_is_rejected_and_the_turn_continues() {
    String send =
        "{call: send_message, with: {recipient: USER, text: hi, sync: false}, save: last}";
    agent("{maxMessagesPerTurn: 1}", send + "," + send + ", {say: '{{last.code}}'}");

    // The first message answers the question: it is the next one to the asker.
    assertThat(team.answer(team.ask("ada", "go"))).isEqualTo("hi");
    team.await(() -> team.count("turn_ended") == 1);
    assertThat(team.runs.newest(null, 1).getFirst().response()).isEqualTo("LIMIT_REACHED");
  }

  @Test
  void the_number_of_agents_in_a_team_is_limited() {
    String spawn = "{call: spawn_agent, with: {name: %s, instructions: x}, save: %s}";
    agent(
        "{maxAgents: 2}",
        spawn.formatted("ben", "ben")
            + ","
            + spawn.formatted("cy", "cy")
            + ", {say: '{{ben.status}}, {{cy.message}}'}");

    assertThat(team.answer(team.ask("ada", "go")))
        .isEqualTo("created, the team has reached the maximum of 2 agents");
  }

  private void agent(String limits, String steps) {
    team.agent(
        "{name: ada, limits: %s, provider: {name: scripted, playbook: [{when: {kind: message}, do: [%s]}]}}"
            .formatted(limits, steps));
  }

  private String dead(Message question) {
    team.await(() -> team.status(question) == Message.MessageStatus.DEAD);
    return String.valueOf(team.messages.require(question.id()).deadReason());
  }
}
