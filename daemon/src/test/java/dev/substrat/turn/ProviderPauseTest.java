package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.provider.Provider;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.scripted.ScriptedProvider;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ProviderConfig;
import dev.substrat.turn.scheduling.QueueStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Messages delayed because a provider was overloaded, and what ends the delay. The clock stands
/// still, so an answer shows that the delay ended.
@OnEveryDatabase
final class ProviderPauseTest {
  private final OverloadedProvider agentProvider = new OverloadedProvider();
  private final TestTeam team;

  ProviderPauseTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1, List.of(new ScriptedProvider(), agentProvider));
    team.agent("{name: ben, provider: {name: busy}}");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void a_changed_provider_ends_the_pause_immediately() {
    Message early = team.ask("ben", "early");
    team.await(() -> team.count("turn_ended") == 1);

    change("{name: ben, provider: {name: scripted, playbook: [{do: [{say: here I am}]}]}}");

    assertThat(team.answer(early)).isEqualTo("here I am");
  }

  @Test
  void a_successful_turn_ends_the_pause_of_other_events() {
    Message early = team.ask("ben", "early");
    team.await(() -> team.count("turn_ended") == 1);
    agentProvider.hasTime = true;

    assertThat(team.answer(team.ask("ben", "late"))).isEqualTo("fine");

    assertThat(team.answer(early)).isEqualTo("fine");
  }

  @Test
  void a_provider_changed_during_a_request_ends_the_pause_of_the_old_one() {
    agentProvider.meanwhile =
        () -> {
          agentProvider.hasTime = true;
          change("{name: ben, systemPrompt: new, provider: {name: busy}}");
        };

    assertThat(team.answer(team.ask("ben", "early"))).isEqualTo("fine");
  }

  @Test
  void an_event_delayed_for_another_reason_stays_delayed() {
    team.database.transact(tx -> tx.update("update agent set gated = 1"));
    team.ask("ben", "too loud");
    team.database.transact(tx ->
        tx.update("update inbox_event set not_before = ?", team.clock.instant().plusSeconds(60)));
    team.database.transact(tx -> tx.update("update agent set gated = 0"));
    agentProvider.hasTime = true;

    assertThat(team.answer(team.ask("ben", "late"))).isEqualTo("fine");
    change("{name: ben, systemPrompt: new, provider: {name: busy}}");

    long waiting = team.database.read(tx -> tx.number("select count(*) as n from inbox_event"));
    assertThat(waiting).isEqualTo(1);
  }

  @Test
  void an_overloaded_provider_is_called_once_for_all_waiting_events() {
    team.database.transact(tx -> tx.update("update agent set gated = 1"));
    List<Message> questions =
        List.of(team.ask("ben", "one"), team.ask("ben", "two"), team.ask("ben", "three"));
    team.database.transact(tx -> tx.update("update agent set gated = 0"));
    team.events.signal().notifyWaiters();
    team.await(() -> team.count("turn_ended") == 1);
    team.await(this::isAtRest);

    assertThat(team.runs.newest(team.agents.require("ben").id(), 20)).hasSize(1);
    agentProvider.hasTime = true;
    assertThat(team.answer(team.ask("ben", "late"))).isEqualTo("fine");
    assertThat(questions).allSatisfy(one -> assertThat(team.answer(one)).isEqualTo("fine"));
  }

  @Test
  void a_failed_event_keeps_its_pause_while_others_succeed() {
    team.agent(
        """
        name: ada
        provider:
          name: scripted
          playbook: [ { when: { text: bad }, do: [ { fail: "not now" } ] }, { do: [ { say: fine } ] } ]
        """);
    Message bad = team.ask("ada", "bad");
    team.await(() -> team.count("turn_ended") == 1);

    for (int i = 0; i < 6; i++) {
      assertThat(team.answer(team.ask("ada", "good"))).isEqualTo("fine");
    }

    assertThat(team.runs.newest(team.agents.require("ada").id(), 20)).hasSize(7);
    assertThat(team.messages.findReply(bad.id())).isEmpty();
  }

  private boolean isAtRest() {
    var view = new QueueStatus(team.database, team.running, team.clock).read();
    return view.atWork() == 0 && view.ready() == 0;
  }

  private void change(String config) {
    team.database.transact(
        tx -> team.agents.update(tx, "ben", Json.as(Yaml.own(config), AgentConfig.class)));
  }

  /// Reports that it is overloaded for a quarter of an hour, until the test releases it.
  private static final class OverloadedProvider implements Provider {
    private volatile boolean hasTime;
    private volatile Runnable meanwhile = () -> {};

    @Override
    public String name() {
      return "busy";
    }

    @Override
    public ProviderConfig prepare(ProviderConfig settings) {
      return settings;
    }

    @Override
    public TurnOutcome runTurn(ProviderTurn turn) {
      turn.events().forEach(turn::show);
      if (hasTime) {
        return new TurnOutcome.TurnFinished("fine");
      }
      meanwhile.run();
      return new TurnOutcome.TurnPostponed(Duration.ofMinutes(15), "429: too many requests");
    }
  }
}
