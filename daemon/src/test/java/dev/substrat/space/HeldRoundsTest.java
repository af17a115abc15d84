package dev.substrat.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Messages.PersonMessage;
import dev.substrat.platform.config.SpaceGuardLimits;
import dev.substrat.platform.identity.Principal;
import dev.substrat.space.Space.WakePolicy;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A held round wakes no agent, and its message is visible to members that read their inbox.
@OnEveryDatabase
@Requirement({"N2", "A13"})
final class HeldRoundsTest {
  private final SpaceTeam team;
  private final Agent dan;

  HeldRoundsTest(TestDatabase kind) {
    this.team =
        new SpaceTeam(
            kind.dialect(),
            new SpaceGuardLimits(3, 1, Duration.ofSeconds(2), Duration.ofMinutes(2)));
    this.dan = team.agent("{name: dan, toolsets: [team, channels], provider: {name: external}}");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  /// One message more than a minute may have.
  @BeforeEach
  void hold() {
    Agent crier = team.external("crier");
    team.room("deck", WakePolicy.SEQUENTIAL, crier, silent("ben"), silent("cleo"), dan);
    team.call(crier, "send_message", "{'channelId':'deck','text':'land'}");
    team.settle();
    assertThat(inbox(dan)).containsExactly("land");
    team.call(crier, "send_message", "{'channelId':'deck','text':'land ahoy'}");
    assertThat(team.settle()).isZero();
    assertThat(held()).isEqualTo(1);
  }

  private Agent silent(String name) {
    return team.agent(
        "{name: %s, provider: {name: scripted, playbook: [{do: [{say: heard}]}]}}".formatted(name));
  }

  @Test
  void check_inbox_shows_a_held_message_once() {
    assertThat(inbox(dan)).containsExactly("land ahoy");
    assertThat(inbox(dan)).isEmpty();
    assertThat(team.settle()).as("no agent is woken").isZero();
    assertThat(held()).as("for ben and cleo").isEqualTo(1);

    team.spaces.release(new Principal.OperatorPrincipal(), "deck");
    team.settle();

    assertThat(team.shown("ben")).containsExactly("land", "land ahoy");
    assertThat(team.shown("cleo")).containsExactly("land", "land ahoy");
    assertThat(inbox(dan)).isEmpty();
    assertThat(held()).isZero();
  }

  @Test
  void a_turn_about_direct_messages_leaves_a_held_round() {
    team.engine.messages().fromOperator("ben", new PersonMessage("look out", false, null), null);
    assertThat(team.settle()).as("only ben").isEqualTo(1);
    assertThat(team.shown("ben")).containsExactly("land", "look out");

    team.spaces.release(new Principal.OperatorPrincipal(), "deck");
    team.settle();

    assertThat(team.shown("ben")).containsExactly("land", "look out", "land ahoy");
    assertThat(team.shown("cleo")).containsExactly("land", "land ahoy");
    assertThat(inbox(dan)).containsExactly("land ahoy");
  }

  @Test
  void a_held_event_that_an_agent_skipped_wakes_it_after_the_release() {
    team.call(dan, "check_inbox", "{'sender':'nobody'}");
    assertThat(held()).as("dan's part, and the round").isEqualTo(2);

    assertThat(team.spaces.release(new Principal.OperatorPrincipal(), "deck")).isEqualTo(2);

    assertThat(inbox(dan)).containsExactly("land ahoy");
  }

  @Test
  void a_former_member_does_not_get_a_held_message() {
    team.spaces.remove(new Principal.OperatorPrincipal(), "deck", "dan");

    assertThat(inbox(dan)).isEmpty();
  }

  private long held() {
    return team.spaces.heldState(new Principal.OperatorPrincipal(), "deck").held();
  }

  private List<String> inbox(Agent agent) {
    return team.call(agent, "check_inbox", "{}").path("messages").findValuesAsText("text");
  }
}
