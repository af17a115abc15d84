package dev.substrat.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.config.SpaceGuardLimits;
import dev.substrat.platform.identity.Principal;
import dev.substrat.space.Space.WakePolicy;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Twenty agents in a space, each answering every message.
@OnEveryDatabase
final class CrowdedSpaceTest {
  private static final int CROWD = 20;

  private final SpaceTeam team;

  CrowdedSpaceTest(TestDatabase kind) {
    this.team = new SpaceTeam(kind.dialect());
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  /// The message limit of a turn is far beyond the limits of the space: this test is about the
  /// guards of the space.
  private Agent chatterbox(String name) {
    return team.agent(
        """
        name: %s
        toolsets: [channels]
        limits: { maxMessagesPerTurn: 8 }
        provider:
          name: scripted
          playbook: [ { do: [ %s ] } ]
        """
            .formatted(name, SpaceTeam.says("re {{event.seq}}")));
  }

  @Test
  @Requirement({"N2", "A6", "C8"})
  void a_space_where_every_agent_answers_becomes_idle_without_lost_messages() {
    Agent[] crowd =
        IntStream.range(0, CROWD).mapToObj(i -> chatterbox("a" + i)).toArray(Agent[]::new);
    team.room("room", WakePolicy.ALL, crowd);

    team.say("room", "hello everyone");
    team.settle();

    long said = team.number("select count(*) as n from space_message where kind = 'message'");
    assertThat(said).isGreaterThan(SpaceGuardLimits.DEFAULT.messagesPerMinute());
    assertThat(team.number("select max(seq) - count(*) as n from space_message"))
        .as("every number is there")
        .isZero();
    // Each message of an agent is a wake for nineteen others, the person's for twenty.
    long wakes = (said - 1) * (CROWD - 1) + CROWD;
    long given = team.number("select count(*) as n from run_event");
    long held = team.number("select count(*) as n from inbox_event where held = 1");
    assertThat(given + held).isEqualTo(wakes);
    assertThat(team.number("select count(*) as n from inbox_event where held = 0")).isZero();
    assertThat(team.spaces.heldState(new Principal.OperatorPrincipal(), "room"))
        .satisfies(standing -> {
          assertThat(standing.held()).isEqualTo(held).isPositive();
          assertThat(standing.reason()).isNotEmpty();
        });
    assertThat(
            team.number(
                """
                select count(*) as n from space_message
                where kind = 'message' and held_reason is not null
                """))
        .as("each held message has its reason, also in the log")
        .isEqualTo(team.told("wake_held").size());
  }
}
