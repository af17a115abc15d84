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

/// Replays think on slots like turns do: when there is none, and with a mind that never gives its
/// own back.
@OnEveryDatabase
@Requirement("N10")
@Timeout(60)
final class BusyReplayTest {
  private final RecordedTeam team;
  private final Slots slots = new Slots(Slots.Caps.of(1));
  private final Spinning mind = new Spinning();

  BusyReplayTest(TestDatabase place) {
    this.team = new RecordedTeam(place.dialect());
    team.agent("{name: mira, limits: {maxTurnSeconds: 1}}");
  }

  @AfterEach
  void close() throws IOException {
    mind.mayEnd.set(true);
    team.close();
  }

  @Test
  void who_finds_all_slots_busy_is_told_so_and_leaves_the_line() {
    Run run = team.runOf("mira", "go");
    try (var replays = replays(team.engine.providers())) {
      Slots.QueuePosition taken = slots.enqueue(new Slots.HeldSlot("team", "scripted"));

      assertThatThrownBy(() ->
              replays.replay(new Principal.Operator(), run.id(), new ProviderOverride(null, null)))
          .isInstanceOfSatisfying(
              Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.LIMIT_REACHED));
      taken.release();

      assertThat(slots.busy()).isZero();
      assertThat(
              replays
                  .replay(new Principal.Operator(), run.id(), new ProviderOverride(null, null))
                  .equal())
          .isTrue();
    }
  }

  @Test
  void a_mind_that_spins_is_not_waited_for_neither_by_who_asked_nor_by_who_stops() {
    Run run = team.runOf("mira", "go");
    var replays = replays(new Providers(List.of(mind)));

    var report =
        replays.replay(
            new Principal.Operator(),
            run.id(),
            new ProviderOverride(ProviderConfig.named("spinning"), null));

    assertThat(report.equal()).isFalse();
    assertThat(slots.busy()).as("it still thinks").isEqualTo(1);
    replays.close();
    assertThat(mind.hasEnded.get()).isFalse();
  }

  private RunReplays replays(Providers providers) {
    return new RunReplays(
        team.database, providers, team.engine.toolbox(), slots, Duration.ofMillis(50));
  }

  /// Hears no interrupt.
  private static final class Spinning implements Provider {
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
    public Outcome runTurn(ProviderTurn turn) {
      while (!mayEnd.get()) {
        Thread.onSpinWait();
      }
      hasEnded.set(true);
      return new Outcome.Finished("");
    }
  }
}
