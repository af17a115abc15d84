package dev.substrat.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Messages;
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
import org.junit.jupiter.api.Test;

/// Guards that stop endless exchanges of agents in a space.
@OnEveryDatabase
final class SpaceGuardsTest {
  private final SpaceTeam team;

  SpaceGuardsTest(TestDatabase kind) {
    this.team =
        new SpaceTeam(
            kind.dialect(),
            new SpaceGuardLimits(3, 10, Duration.ofSeconds(2), Duration.ofMinutes(2)));
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"S4-6", "A10", "N2"})
  void a_dm_chain_stops_at_its_limit_and_says_why() {
    Agent ada = pingPong("ada");
    Agent ben = pingPong("ben");
    team.engine.messages().fromOperator("ada", new Messages.PersonMessage("go", false, null), null);

    team.settle();

    assertThat(team.said("dm-ada-ben"))
        .as("depth 1 and 2 wake the other agent; depth 3 is posted and wakes no agent")
        .containsExactly("ada: go on", "ben: ok go on", "ada: ok ok go on");
    var standing = team.spaces.heldState(new Principal.OperatorPrincipal(), "dm-ada-ben");
    assertThat(standing.held()).isEqualTo(1);
    assertThat(standing.reason()).contains("the limit is 3");
    assertThat(team.told("wake_held"))
        .singleElement()
        .satisfies(event -> {
          assertThat(event.path("agents")).hasToString("[\"ben\"]");
          assertThat(event.path("reason").asText()).contains("the limit is 3");
        });
    assertThat(team.spaces.history().unread(new Principal.AgentPrincipal(ben.id())))
        .containsEntry("dm-ada-ben", 1L);
    assertThat(team.spaces.release(new Principal.OperatorPrincipal(), "dm-ada-ben")).isEqualTo(1);
    team.settle();
    assertThat(team.said("dm-ada-ben")).as("a person's message restarts the count").hasSize(6);
    assertThat(team.spaces.members(new Principal.AgentPrincipal(ada.id()), "dm-ada-ben"))
        .hasSize(2);
  }

  @Test
  @Requirement("A10")
  void a_space_may_have_its_own_limit() {
    pingPong("ada");
    pingPong("ben");
    team.spaces.create(
        new Principal.OperatorPrincipal(),
        new Spaces.SpaceDefinition(
            null, "dm", Space.SpaceKind.DM, null, WakePolicy.DM_CHAIN, 1, List.of("ada", "ben")));
    team.engine.messages().fromOperator("ada", new Messages.PersonMessage("go", false, null), null);

    team.settle();

    assertThat(team.said("dm-ada-ben")).containsExactly("ada: go on");
  }

  @Test
  @Requirement({"A6", "N2"})
  void too_many_agent_messages_wake_no_agent_until_a_person_posts() {
    Agent crier = team.external("crier");
    silent("ben");
    team.room("room", WakePolicy.ALL, crier, team.engine.agents().require("ben"));
    for (int i = 1; i <= 12; i++) {
      team.call(crier, "send_message", "{'channelId':'room','text':'%d'}".formatted(i));
      team.clock.pass(Duration.ofSeconds(3));
      team.runAll();
    }

    assertThat(team.shown("ben"))
        .containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
    var standing = team.spaces.heldState(new Principal.OperatorPrincipal(), "room");
    assertThat(standing.isBreakerOpen()).isTrue();
    assertThat(standing.held()).isEqualTo(2);
    assertThat(standing.reason()).contains("more than 10 messages in one minute");
    team.clock.pass(Duration.ofMinutes(5));
    team.call(crier, "send_message", "{'channelId':'room','text':'13'}");
    assertThat(team.runAll()).as("it stays so however calm they are").isZero();

    team.say("room", "what is the matter?");
    team.settle();

    assertThat(team.shown("ben")).endsWith("11", "12", "13", "what is the matter?");
    assertThat(team.spaces.heldState(new Principal.OperatorPrincipal(), "room"))
        .isEqualTo(new Spaces.HeldWakeups(0, null, false));
    assertThat(team.told("breaker_opened")).hasSize(1);
    assertThat(team.told("wakes_released")).hasSize(1);
  }

  /// Posts in the DM when a person asks it to, and answers every message there.
  private Agent pingPong(String name) {
    return team.agent(
        """
        name: %s
        toolsets: [channels]
        provider:
          name: scripted
          playbook:
            - when: { kind: space_message }
              do:
                - { call: send_message, with: { channelId: dm-ada-ben, text: "ok {{event.text}}" } }
            - do: [ { call: send_message, with: { channelId: dm-ben-ada, text: "go on" } } ]
        """
            .formatted(name));
  }

  private Agent silent(String name) {
    return team.member(name, "{ say: heard }");
  }
}
