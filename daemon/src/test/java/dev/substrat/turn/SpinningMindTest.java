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

/// A mind that hears nothing, not even that it shall stop.
final class SpinningMindTest {
  @Test
  @Requirement("S0-8")
  void it_does_not_keep_the_daemon_from_stopping() throws Exception {
    var mind = new Spinning();
    var team = new TestTeam(Dialect.SQLITE, 1, List.of(mind));
    team.agent("{name: ada, provider: {name: spinning}}");
    team.ask("ada", "think");
    assertThat(mind.begun.await(10, TimeUnit.SECONDS)).isTrue();

    var stopping = Thread.ofPlatform().daemon().start(team::stop);

    assertThat(stopping.join(Duration.ofSeconds(30))).as("stopped").isTrue();
    mind.mayEnd.set(true);
    team.close();
  }

  private static final class Spinning implements Provider {
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
    public Outcome runTurn(ProviderTurn turn) {
      begun.countDown();
      while (!mayEnd.get()) {
        Thread.onSpinWait();
      }
      return new Outcome.Finished("");
    }
  }
}
