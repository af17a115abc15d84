package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.SettableClock;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import dev.substrat.turn.run.Run;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Runs and leases left by a daemon that died during a turn, and their cleanup.
@OnEveryDatabase
final class RecoveryTest {
  private final TestDatabase place;
  private final Telemetry telemetry = Telemetry.withoutExport();
  private final SettableClock clock = new SettableClock(Instant.now());
  private final Database database;
  private final EventLog events;
  private final Engine engine;
  private final Agent ada;

  RecoveryTest(TestDatabase template) {
    this.place = TestDatabase.fresh(template.dialect());
    this.database = place.open();
    this.events = new EventLog(database, clock);
    this.engine = engine(_ -> {});
    var config =
        Yaml.own("{name: ada, provider: {name: scripted, playbook: [{do: [{sleep: 1s}]}]}}");
    this.ada =
        engine.agents().create(engine.providers().prepare(Json.as(config, AgentConfig.class)));
    engine.messages().fromOperator("ada", new Messages.PersonMessage("go", false, null), null);
    var dying =
        engine(_ -> {
          throw new SimulatedCrash();
        });
    assertThatThrownBy(() -> turns(dying, "first").run(ada.id()))
        .isInstanceOf(SimulatedCrash.class);
  }

  private static final class SimulatedCrash extends Error {}

  private Engine engine(TurnSleep pace) {
    return new Engine(new EngineDependencies(database, events, telemetry, clock, pace));
  }

  private SteppedDispatcher turns(Engine one, String owner) {
    return new SteppedDispatcher(database, one.turnParts(), owner);
  }

  @AfterEach
  void close() throws IOException {
    events.close();
    telemetry.close();
    place.close();
  }

  @Test
  @Requirement("N1")
  void a_restarted_daemon_closes_its_open_runs_even_of_a_paused_agent() {
    database.transact(tx -> tx.update("update agent set gated = 1"));

    turns(engine, "first").recover();

    assertThat(engine.runs().newest(ada.id(), 10))
        .extracting(Run::status)
        .containsExactly("failed");
    assertThat(logged("turn_ended")).isEqualTo(1);
  }

  @Test
  @Requirement("N1")
  void a_turn_taken_over_by_another_daemon_has_an_end_event() {
    database.transact(tx -> tx.update("update agent set lease_until = 0"));

    turns(engine, "second").run(ada.id());

    assertThat(engine.runs().newest(ada.id(), 10))
        .extracting(Run::status)
        .containsExactly("done", "failed");
    assertThat(logged("turn_ended")).isEqualTo(2);
  }

  @Test
  void terminating_an_agent_writes_the_end_event_of_its_turn() {
    engine.agents().terminate("ada");

    assertThat(logged("turn_ended")).isEqualTo(1);
  }

  /// PostgreSQL's log is numbered a moment after the commit.
  private long logged(String kind) {
    return database.read(tx ->
        tx.number("select count(*) as n from event where kind = ?", kind)
            + switch (tx.dialect()) {
              case SQLITE -> 0;
              case POSTGRES ->
                  tx.number("select count(*) as n from event_staging where kind = ?", kind);
            });
  }
}
