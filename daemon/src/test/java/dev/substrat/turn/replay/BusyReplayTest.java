package dev.substrat.turn.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.platform.identity.Principal;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.provider.Provider;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.Providers;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.ProviderConfig;
import dev.substrat.testkit.Requirement;
import dev.substrat.turn.run.Run;
import dev.substrat.turn.scheduling.Slots;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Replays need slots like turns do: without a free slot, and with a provider that never returns.
@OnEveryDatabase
@Requirement("N10")
@Timeout(300)
final class BusyReplayTest {
  private final RecordedTeam team;
  private final Slots slots = new Slots(Slots.SlotCaps.of(1));
  private final SpinningProvider agentProvider = new SpinningProvider();

  BusyReplayTest(TestDatabase place) {
    this.team = new RecordedTeam(place.dialect());
    team.agent("{name: mira, limits: {maxTurnSeconds: 1}}");
  }

  @AfterEach
  void close() throws IOException {
    agentProvider.mayEnd.set(true);
    team.close();
  }

  @Test
  void a_replay_without_a_free_slot_fails_and_leaves_the_queue() {
    Run run = team.runOf("mira", "go");
    try (var replays = replays(team.engine.providers())) {
      Slots.QueuePosition taken = slots.enqueue(new Slots.HeldSlot("team", "scripted"));

      assertThatThrownBy(() ->
              replays.replay(
                  new Principal.OperatorPrincipal(), run.id(), new ProviderOverride(null, null)))
          .isInstanceOfSatisfying(
              Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.LIMIT_REACHED));
      taken.release();

      assertThat(slots.busy()).isZero();
      assertThat(
              replays
                  .replay(
                      new Principal.OperatorPrincipal(), run.id(), new ProviderOverride(null, null))
                  .equal())
          .isTrue();
    }
  }

  @Test
  void a_replay_with_a_spinning_provider_blocks_neither_the_caller_nor_a_stop() {
    Run run = team.runOf("mira", "go");
    var replays = replays(new Providers(List.of(agentProvider)));

    var report =
        replays.replay(
            new Principal.OperatorPrincipal(),
            run.id(),
            new ProviderOverride(ProviderConfig.named("spinning"), null));

    assertThat(report.equal()).isFalse();
    assertThat(slots.busy()).as("the provider still runs").isEqualTo(1);
    replays.close();
    assertThat(agentProvider.hasEnded.get()).isFalse();
  }

  private RunReplays replays(Providers providers) {
    return new RunReplays(
        team.database, providers, team.engine.pipeline(), slots, Duration.ofMillis(50));
  }

  /// Ignores interrupts.
  private static final class SpinningProvider implements Provider {
    private final AtomicBoolean mayEnd = new AtomicBoolean();
    private final AtomicBoolean hasEnded = new AtomicBoolean();

    @Override
    public String name() {
      return "spinning";
    }

    @Override
    public ProviderConfig prepare(ProviderConfig settings) {
      return settings;
    }

    @Override
    public TurnOutcome runTurn(ProviderTurn turn) {
      while (!mayEnd.get()) {
        Thread.onSpinWait();
      }
      hasEnded.set(true);
      return new TurnOutcome.TurnFinished("");
    }
  }
}
