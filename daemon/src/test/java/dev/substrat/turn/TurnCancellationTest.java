package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.messaging.message.Message.MessageStatus;
import dev.substrat.platform.identity.Principal;
import dev.substrat.protocol.Fault;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.Event;
import dev.substrat.turn.run.Run;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Turns that would not end by themselves.
@OnEveryDatabase
final class TurnCancellationTest {
  private static final String HANGS =
      """
      name: ada
      provider:
        name: scripted
        playbook:
          - when: { text: hang }
            do: [ { hang: true } ]
          - do: [ { say: aye } ]
      """;

  private final TestTeam team;

  TurnCancellationTest(TestDatabase place) {
    // One slot, so that a turn that keeps it is noticed.
    this.team = new TestTeam(place.dialect(), 1);
    team.agent(HANGS);
    team.agent("{name: ben, provider: {name: scripted, playbook: [{do: [{say: aye}]}]}}");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void a_cancelled_turn_frees_its_slot_and_its_message_is_dead() {
    var question = team.ask("ada", "hang");
    Run run = running();

    team.cancellation.cancel(new Principal.OperatorPrincipal(), run);

    assertThat(team.answer(team.ask("ben", "ready?"))).isEqualTo("aye");
    assertThat(team.runs.require(new Principal.OperatorPrincipal(), run.id()).status())
        .isEqualTo("cancelled");
    assertThat(team.status(question)).isEqualTo(MessageStatus.DEAD);
    assertThat(team.answer(team.ask("ada", "and now?"))).isEqualTo("aye");
    assertThatThrownBy(() -> team.cancellation.cancel(new Principal.OperatorPrincipal(), run))
        .isInstanceOf(Fault.class);
  }

  @Test
  void terminating_an_agent_ends_its_turn() {
    var question = team.ask("ada", "hang");
    Run run = running();

    team.agents.terminate("ada");

    assertThat(team.answer(team.ask("ben", "ready?"))).isEqualTo("aye");
    assertThat(team.runs.require(new Principal.OperatorPrincipal(), run.id()).stopReason())
        .isEqualTo("the agent was terminated");
    assertThat(team.messages.require(question.id()).deadReason()).isEqualTo("it was terminated");
    assertThat(team.events.after(0, new Event.EventFilter(null, null, run.id()), 100))
        .as("the event stream shows that the turn has ended")
        .extracting(Event::kind)
        .containsExactly("turn_started", "turn_ended");
  }

  @Test
  void a_turn_that_takes_too_long_fails() {
    team.ask("ada", "hang");
    Run run = running();

    team.clock.pass(Duration.ofMinutes(11));
    assertThat(team.running.interruptOverdue()).isEqualTo(1);

    team.await(() ->
        team.runs.require(new Principal.OperatorPrincipal(), run.id()).status().equals("failed"));
    assertThat(team.runs.require(new Principal.OperatorPrincipal(), run.id()).stopReason())
        .isEqualTo("the turn took too long");
  }

  /// The thread of the cancelled turn may have noticed by itself, and the next turn have begun,
  /// before it is interrupted.
  @Test
  void a_late_cancellation_does_not_end_the_next_turn() {
    team.ask("ada", "hang");
    Run run = running();
    var ada = team.agents.require("ada").id();

    team.running.interrupt(ada, run.turn() - 1, "somebody else's turn");
    assertThat(team.running.reason(ada)).isEmpty();

    team.running.interrupt(ada, run.turn(), "its own");
    assertThat(team.running.reason(ada)).contains("its own");
  }

  private Run running() {
    team.await(() -> team.count("turn_started") == 1);
    // The script shows its event before it hangs; then it is really under way.
    team.await(() ->
        team.messages.of(team.agents.require("ada").id(), 1).getFirst().status()
            == MessageStatus.INJECTED);
    return team.runs.newest(null, 1).getFirst();
  }
}
