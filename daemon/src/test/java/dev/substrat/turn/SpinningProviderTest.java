package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.provider.Provider;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.store.Dialect;
import dev.substrat.team.ProviderConfig;
import dev.substrat.testkit.Requirement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// A provider that ignores interruption.
final class SpinningProviderTest {
  @Test
  @Requirement("S0-8")
  void a_provider_that_ignores_interrupts_does_not_prevent_a_stop() throws Exception {
    var agentProvider = new SpinningProvider();
    var team = new TestTeam(Dialect.SQLITE, 1, List.of(agentProvider));
    team.agent("{name: ada, provider: {name: spinning}}");
    team.ask("ada", "think");
    assertThat(agentProvider.begun.await(120, TimeUnit.SECONDS)).isTrue();

    var stopping = Thread.ofPlatform().daemon().start(team::stop);

    assertThat(stopping.join(Duration.ofMinutes(2))).as("stopped").isTrue();
    agentProvider.mayEnd.set(true);
    team.close();
  }

  private static final class SpinningProvider implements Provider {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final AtomicBoolean mayEnd = new AtomicBoolean();

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
      begun.countDown();
      while (!mayEnd.get()) {
        Thread.onSpinWait();
      }
      return new TurnOutcome.TurnFinished("");
    }
  }
}
