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

/// Mail that waits for a mind that had no time, and need not wait any longer. The clock stands
/// still: whatever is answered here was not waited for.
@OnEveryDatabase
final class HurriedMailTest {
  private final Busy mind = new Busy();
  private final TestTeam team;

  HurriedMailTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1, List.of(new ScriptedProvider(), mind));
    team.agent("{name: ben, provider: {name: busy}}");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void an_agent_that_is_given_another_mind_sees_to_it_at_once() {
    Message early = team.ask("ben", "early");
    team.await(() -> team.count("turn_ended") == 1);

    change("{name: ben, provider: {name: scripted, playbook: [{do: [{say: here I am}]}]}}");

    assertThat(team.answer(early)).isEqualTo("here I am");
  }

  @Test
  void a_turn_that_ends_well_lets_the_others_be_tried_again() {
    Message early = team.ask("ben", "early");
    team.await(() -> team.count("turn_ended") == 1);
    mind.hasTime = true;

    assertThat(team.answer(team.ask("ben", "late"))).isEqualTo("fine");

    assertThat(team.answer(early)).isEqualTo("fine");
  }

  @Test
  void one_that_is_changed_while_its_mind_is_asked_does_not_wait_for_the_old_one() {
    mind.meanwhile =
        () -> {
          mind.hasTime = true;
          change("{name: ben, systemPrompt: new, provider: {name: busy}}");
        };

    assertThat(team.answer(team.ask("ben", "early"))).isEqualTo("fine");
  }

  @Test
  void what_waits_for_another_reason_goes_on_waiting() {
    team.database.transact(tx -> tx.update("update agent set gated = 1"));
    team.ask("ben", "too loud");
    team.database.transact(tx ->
        tx.update("update inbox_event set not_before = ?", team.clock.instant().plusSeconds(60)));
    team.database.transact(tx -> tx.update("update agent set gated = 0"));
    mind.hasTime = true;

    assertThat(team.answer(team.ask("ben", "late"))).isEqualTo("fine");
    change("{name: ben, systemPrompt: new, provider: {name: busy}}");

    long waiting = team.database.read(tx -> tx.number("select count(*) as n from inbox_event"));
    assertThat(waiting).isEqualTo(1);
  }

  @Test
  void a_provider_without_time_is_asked_once_for_all_that_waits() {
    team.database.transact(tx -> tx.update("update agent set gated = 1"));
    List<Message> questions =
        List.of(team.ask("ben", "one"), team.ask("ben", "two"), team.ask("ben", "three"));
    team.database.transact(tx -> tx.update("update agent set gated = 0"));
    team.events.signal().notifyWaiters();
    team.await(() -> team.count("turn_ended") == 1);
    team.await(this::isAtRest);

    assertThat(team.runs.newest(team.agents.require("ben").id(), 20)).hasSize(1);
    mind.hasTime = true;
    assertThat(team.answer(team.ask("ben", "late"))).isEqualTo("fine");
    assertThat(questions).allSatisfy(one -> assertThat(team.answer(one)).isEqualTo("fine"));
  }

  @Test
  void an_event_whose_turn_failed_keeps_its_pause_while_others_go_well() {
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

  /// Has no time for a quarter of an hour, whoever asks, until it has.
  private static final class Busy implements Provider {
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
    public Outcome runTurn(ProviderTurn turn) {
      turn.events().forEach(turn::show);
      if (hasTime) {
        return new Outcome.Finished("fine");
      }
      meanwhile.run();
      return new Outcome.Postponed(Duration.ofMinutes(15), "429: too many requests");
    }
  }
}
