package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.provider.Provider;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.scripted.ScriptedProvider;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ProviderConfig;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A configuration that is changed while its agent has a turn.
@OnEveryDatabase
final class UpdateDuringTurnTest {
  private final Pausing agentProvider = new Pausing();
  private final TestTeam team;

  UpdateDuringTurnTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1, List.of(new ScriptedProvider(), agentProvider));
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void a_running_turn_keeps_its_configuration_and_the_next_one_uses_the_new() throws Exception {
    team.agent("{name: ada, systemPrompt: old, provider: {name: pausing}}");
    var first = team.ask("ada", "who are you?");
    assertThat(agentProvider.begun.tryAcquire(120, TimeUnit.SECONDS)).isTrue();

    var changed =
        team.database.transact(tx ->
            team.agents.update(
                tx,
                "ada",
                Json.as(
                    Yaml.own("{name: ada, systemPrompt: new, provider: {name: pausing}}"),
                    AgentConfig.class)));
    agentProvider.mayGoOn.release(2);

    assertThat(changed.changed()).isEqualTo(List.of("systemPrompt"));
    assertThat(team.answer(first)).isEqualTo("old");
    assertThat(team.answer(team.ask("ada", "and now?"))).isEqualTo("new");
    assertThat(team.count("agent_updated")).isEqualTo(1);
  }

  /// Returns its instructions when the test releases it.
  private static final class Pausing implements Provider {
    private final Semaphore begun = new Semaphore(0);
    private final Semaphore mayGoOn = new Semaphore(0);

    @Override
    public String name() {
      return "pausing";
    }

    @Override
    public ProviderConfig prepare(ProviderConfig settings) {
      return settings;
    }

    @Override
    public TurnOutcome runTurn(ProviderTurn turn) throws InterruptedException {
      for (InboxEvent event : turn.events()) {
        turn.show(event);
      }
      begun.release();
      mayGoOn.acquire();
      return new TurnOutcome.TurnFinished(
          Objects.requireNonNull(turn.agent().config().systemPrompt(), "no instructions"));
    }
  }
}
