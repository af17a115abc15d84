package dev.substrat.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.platform.config.SpaceGuardLimits;
import dev.substrat.platform.identity.Principal;
import dev.substrat.provider.Provider;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.space.Space.WakePolicy;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.team.ProviderConfig;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Members answer one after another, and a round continues whatever happens to them.
@OnEveryDatabase
final class SequentialRoundsTest {
  private static final String SPEAKS = SpaceTeam.says("heard {{event.from}}: {{event.text}}");

  private final AtomicBoolean dies = new AtomicBoolean(true);
  private final SpaceTeam team;

  SequentialRoundsTest(TestDatabase kind) {
    this.team =
        new SpaceTeam(
            kind.dialect(),
            new SpaceGuardLimits(3, 100, Duration.ofSeconds(2), Duration.ofMinutes(2)),
            new DyingProvider(dies));
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  /// A provider whose daemon dies during its first turn.
  private record DyingProvider(AtomicBoolean dies) implements Provider {
    @Override
    public String name() {
      return "mortal";
    }

    @Override
    public ProviderConfig prepare(ProviderConfig settings) {
      return settings;
    }

    @Override
    public TurnOutcome runTurn(ProviderTurn turn) {
      if (dies.getAndSet(false)) {
        throw new LinkageError("kill -9");
      }
      return new TurnOutcome.TurnFinished("");
    }
  }

  @Test
  @Requirement("C8")
  void each_member_sees_earlier_answers_and_its_answer_starts_no_round() {
    team.room("room", WakePolicy.SEQUENTIAL, speaker("ada"), speaker("ben"), speaker("cleo"));

    team.say("room", "go");
    assertThat(team.turns.ready()).as("one at a time").hasSize(1);
    assertThat(team.settle()).isEqualTo(3);

    assertThat(team.said("room"))
        .containsExactly(
            "operator: go",
            "ada: heard operator: go",
            "ben: heard operator: go",
            "ben: heard ada: heard operator: go",
            "cleo: heard operator: go",
            "cleo: heard ada: heard operator: go",
            "cleo: heard ben: heard operator: go",
            "cleo: heard ben: heard ada: heard operator: go");
    atRest();
  }

  @Test
  @Requirement("C8")
  void rounds_of_a_space_run_one_after_another() {
    team.room("room", WakePolicy.SEQUENTIAL, silent("ada"), silent("ben"));
    team.say("room", "one");
    team.say("room", "two");

    assertThat(team.turns.ready()).hasSize(1);
    assertThat(team.settle()).isEqualTo(4);

    atRest();
  }

  @Test
  void a_post_outside_of_a_round_starts_a_round_without_its_author() {
    Agent crier = team.external("crier");
    team.room("room", WakePolicy.SEQUENTIAL, crier, speaker("ada"));

    team.call(crier, "send_message", "{'channelId':'room','text':'ahoy'}");
    team.settle();

    assertThat(team.said("room")).containsExactly("crier: ahoy", "ada: heard crier: ahoy");
    assertThat(team.call(crier, "check_inbox", "{}").path("messages")).isEmpty();
    atRest();
  }

  @Test
  @Requirement("C8")
  void a_late_post_starts_its_own_round() {
    Agent crier = team.external("crier");
    team.room("room", WakePolicy.SEQUENTIAL, crier, speaker("ada"));
    team.say("room", "go");
    team.call(crier, "check_inbox", "{}");

    team.call(crier, "send_message", "{'channelId':'room','text':'wait for me'}");
    team.settle();

    assertThat(team.said("room"))
        .contains("ada: heard operator: go", "ada: heard crier: wait for me");
    assertThat(team.number("select count(*) as n from space_round")).isZero();
  }

  @Test
  @Requirement({"N1", "N2"})
  void a_round_continues_after_the_daemon_dies_in_a_members_turn() {
    Agent mortal = team.agent("{name: ada, provider: {name: mortal}}");
    team.room("room", WakePolicy.SEQUENTIAL, mortal, speaker("ben"));
    team.say("room", "go");
    assertThatThrownBy(() -> team.turns.run(mortal.id())).hasMessage("kill -9");
    assertThat(team.turns.ready()).isEmpty();

    team.turns.recover();
    team.settle();

    assertThat(team.said("room")).containsExactly("operator: go", "ben: heard operator: go");
    atRest();
  }

  @Test
  @Requirement("N2")
  void a_member_whose_turn_fails_for_good_is_skipped() {
    Agent failing = team.member("ada", "{ fail: no coffee }");
    team.room("room", WakePolicy.SEQUENTIAL, failing, speaker("ben"));
    team.say("room", "go");
    team.settle();

    assertThat(team.said("room")).containsExactly("operator: go", "ben: heard operator: go");
    atRest();
  }

  @Test
  @Requirement("N2")
  void a_member_that_is_terminated_or_leaves_is_skipped_immediately() {
    team.room("room", WakePolicy.SEQUENTIAL, silent("ada"), silent("ben"), speaker("cleo"));
    team.say("room", "go");

    team.engine.agents().terminate("ada");
    assertThat(team.turns.ready()).containsExactly(team.engine.agents().require("ben").id());
    team.spaces.remove(new Principal.OperatorPrincipal(), "room", "ben");
    assertThat(team.turns.ready()).containsExactly(team.engine.agents().require("cleo").id());
    team.settle();

    assertThat(team.said("room")).hasSize(2);
    atRest();
  }

  @Test
  @Requirement("N2")
  void a_round_does_not_wait_for_external_paused_or_exhausted_members() {
    Agent externalAgent = team.external("ada");
    Agent gated = silent("ben");
    Agent poor =
        team.agent(
            """
            { name: cleo, toolsets: [channels], limits: { budgetTurns: 1 },
              provider: { name: scripted, playbook: [] } }
            """);
    team.room("warm-up", WakePolicy.ALL, poor);
    team.say("warm-up", "spend it");
    team.settle();
    team.say("warm-up", "and learn that nothing is left");
    team.settle();
    team.database.transact(
        tx -> tx.update("update agent set gated = 1 where id = ?", gated.id().value()));
    team.room("room", WakePolicy.SEQUENTIAL, externalAgent, gated, poor, speaker("dora"));

    team.say("room", "go");

    assertThat(team.turns.ready()).containsExactly(team.engine.agents().require("dora").id());
    team.runAll();
    assertThat(team.said("room")).containsExactly("operator: go", "dora: heard operator: go");
    assertThat(team.call(externalAgent, "check_inbox", "{}").path("messages")).hasSize(1);
    assertThat(team.number("select count(*) as n from space_round")).isZero();
  }

  @Test
  @Requirement("N2")
  void a_round_skips_a_member_after_a_timeout() {
    Agent waiting = silent("ada");
    team.room("room", WakePolicy.SEQUENTIAL, waiting, speaker("ben"));
    team.say("room", "go");
    team.database.transact(
        tx -> tx.update("update agent set gated = 1 where id = ?", waiting.id().value()));
    assertThat(team.runAll()).isZero();

    team.settle();

    assertThat(team.said("room")).containsExactly("operator: go", "ben: heard operator: go");
    assertThat(team.told("round_went_on"))
        .singleElement()
        .satisfies(event -> assertThat(event.path("without").asText()).isEqualTo("ada"));
    assertThat(team.number("select count(*) as n from inbox_event"))
        .as("ada's event is kept for it")
        .isEqualTo(1);
    assertThat(team.number("select count(*) as n from space_round")).isZero();
  }

  @Test
  @Requirement({"A10", "N2"})
  void a_round_beyond_the_chain_depth_is_held_until_it_is_released() {
    Agent crier =
        team.agent(
            """
            name: ada
            toolsets: [channels]
            provider:
              name: scripted
              playbook:
                - when: { text: deep }
                  do: [ { call: send_message, with: { channelId: room, text: "so deep" } } ]
            """);
    team.room("room", WakePolicy.SEQUENTIAL, crier, speaker("ben"));
    team.room("well", WakePolicy.ALL, crier);
    SpaceMessage deep = team.say("well", "deep");
    team.database.transact(tx ->
        tx.update(
            "update inbox_event set payload = replace(payload, '\"depth\":0', '\"depth\":2')"));
    team.settle();
    assertThat(team.said("room")).containsExactly("ada: so deep");
    assertThat(team.spaces.heldState(new Principal.OperatorPrincipal(), "room").held())
        .isEqualTo(1);
    assertThat(team.spaces.heldState(new Principal.OperatorPrincipal(), deep.space()).held())
        .isZero();

    assertThat(team.spaces.release(new Principal.OperatorPrincipal(), "room")).isEqualTo(1);
    team.settle();

    assertThat(team.said("room")).containsExactly("ada: so deep", "ben: heard ada: so deep");
    assertThat(team.number("select depth as n from run order by id desc limit 1"))
        .as("released by a person")
        .isZero();
    atRest();
  }

  private Agent speaker(String name) {
    return team.member(name, SPEAKS);
  }

  private Agent silent(String name) {
    return team.member(name, "{ say: heard }");
  }

  private void atRest() {
    assertThat(team.number("select count(*) as n from space_round")).isZero();
    assertThat(
            team.number(
                "select count(*) as n from inbox_event where turn_no is null or turn_no >= 0"))
        .isZero();
  }
}
