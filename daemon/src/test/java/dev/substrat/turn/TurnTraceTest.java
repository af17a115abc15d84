package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Messages.PersonMessage;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.platform.telemetry.SpanRecorder;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.RetryingDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ToolCaller;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import dev.substrat.turn.run.TurnTrace;
import java.io.IOException;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Spans of turns start once and end, with retried transactions and late calls.
@OnEveryDatabase
@Requirement("S4-21")
final class TurnTraceTest {
  private final TestDatabase place;
  private final SpanRecorder book = new SpanRecorder();
  private final Telemetry telemetry = book.telemetry();
  private final EventLog events;
  private final Engine engine;
  private final SteppedDispatcher turns;
  private final Agent ada;

  TurnTraceTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    var database = new RetryingDatabase(place.open());
    var clock = InstantSource.system();
    this.events = new EventLog(database, clock);
    this.engine =
        new Engine(new EngineDependencies(database, events, telemetry, clock, TurnSleep.REAL));
    this.turns = new SteppedDispatcher(database, engine.turnParts(), "here");
    String config = "{name: ada, provider: {name: scripted, playbook: [{do: [{say: aye}]}]}}";
    this.ada =
        engine
            .agents()
            .create(engine.providers().prepare(Json.as(Yaml.own(config), AgentConfig.class)));
  }

  @AfterEach
  void close() throws IOException {
    events.close();
    telemetry.close();
    place.close();
  }

  @Test
  void a_turn_with_a_retried_claim_has_one_span() {
    engine.messages().fromOperator("ada", new PersonMessage("go", false, null), null);

    turns.run(ada.id());

    assertThat(book.begun()).containsOnlyOnce("turn ada");
    assertThat(book.ended()).containsExactlyInAnyOrderElementsOf(book.begun());
  }

  @Test
  void a_late_call_creates_no_span() {
    var caller = new ToolCaller(ada, RunId.random(), "here", 1, 0, null);
    var trace = new TurnTrace(telemetry, caller);
    trace.inStep(1, () -> "in time");
    trace.close();

    trace.beginStep(2);
    assertThat(trace.inStep(2, () -> "too late")).isEqualTo("too late");

    assertThat(book.begun()).containsExactly("turn ada", "step");
    assertThat(book.ended()).containsExactly("step", "turn ada");
  }
}
