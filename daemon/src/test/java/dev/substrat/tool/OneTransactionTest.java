package dev.substrat.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.access.limit.TokenBuckets;
import dev.substrat.messaging.message.UnreadMessages;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.space.Space.SpaceKind;
import dev.substrat.space.Spaces;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.turn.TurnSleep;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A call that is one transaction with its record, and what remains of a failed one.
@OnEveryDatabase
@Requirement({"S4-20", "N1"})
final class OneTransactionTest {
  private final TestDatabase place;
  private final Telemetry telemetry = Telemetry.withoutExport();
  private final Database database;
  private final EventLog events;
  private final Engine engine;
  private final Agent ada;

  OneTransactionTest(TestDatabase kind) {
    var clock = InstantSource.system();
    this.place = TestDatabase.fresh(kind.dialect());
    this.database = place.open();
    this.events = new EventLog(database, clock);
    this.engine =
        new Engine(new EngineDependencies(database, events, telemetry, clock, TurnSleep.REAL));
    this.ada =
        engine
            .agents()
            .create(
                Json.as(Yaml.own("{name: ada, provider: {name: external}}"), AgentConfig.class));
  }

  @AfterEach
  void close() throws IOException {
    events.close();
    telemetry.close();
    place.close();
  }

  @Test
  void the_effect_of_a_call_is_stored_with_its_record() {
    assertThat(call(() -> {}).json().path("rooms").asInt()).isEqualTo(2);

    assertThat(engine.spaces().list(new Principal.OperatorPrincipal())).hasSize(2);
    assertThat(told("space_created")).isEqualTo(2);
    assertThat(record()).containsExactly(Transcript.CALL, Transcript.RETURN);
  }

  @Test
  void a_rejected_call_leaves_its_record_and_no_effect() {
    leavesItsRecordOnly(
        ErrorCode.CONFLICT,
        () -> {
          throw new Fault(ErrorCode.CONFLICT, "the deck is full", "wait");
        });
  }

  @Test
  void a_call_that_throws_leaves_its_record_and_no_effect() {
    leavesItsRecordOnly(
        ErrorCode.INTERNAL,
        () -> {
          throw new IllegalStateException("a bug");
        });
  }

  @Test
  void a_call_with_a_failed_statement_leaves_its_record_and_no_effect() {
    leavesItsRecordOnly(
        ErrorCode.INTERNAL,
        () -> database.transact(tx -> tx.update("insert into space (id) values ('x')")));
  }

  private void leavesItsRecordOnly(ErrorCode code, Runnable end) {
    var reply = call(end);

    assertThat(reply.json().path("code").asText()).isEqualTo(code.name());
    assertThat(engine.spaces().list(new Principal.OperatorPrincipal())).isEmpty();
    assertThat(told("space_created")).isZero();
    assertThat(record()).containsExactly(Transcript.CALL, Transcript.RETURN);
    assertThat(told("tool_called")).isEqualTo(1);
  }

  /// Input of the tool.
  public record Wanted() {}

  /// Output of the tool.
  record Built(int rooms) {}

  /// Creates two spaces, and ends as given.
  private ToolResult call(Runnable end) {
    var tool =
        SimpleTool.of(
                "build",
                ToolEffect.DOES,
                Wanted.class,
                Built.class,
                "Builds rooms.",
                (_, _) -> {
                  make("deck");
                  make("logbook");
                  end.run();
                  return new Built(2);
                })
            .inOneTransaction();
    var clock = engine.dependencies().clock();
    var toolbox =
        new ToolPipeline(
            List.of(new Toolset("team", List.of(tool))),
            new ToolPipeline.PipelineDependencies(
                database,
                events,
                engine.transcript(),
                new CallLimits(new TokenBuckets(clock)),
                new UnreadMessages(database, clock),
                engine.customTools().answers(),
                telemetry,
                clock));
    var caller = engine.externalRuns().caller(ada);
    return toolbox.call(new ToolCall(caller, 0, "call", null), "build", Json.object()).reply();
  }

  private void make(String name) {
    engine
        .spaces()
        .create(
            new Principal.OperatorPrincipal(),
            Spaces.SpaceDefinition.of(name, SpaceKind.PUBLIC, List.of()));
  }

  private List<String> record() {
    return database.read(
        tx -> tx.list("select type from run_line order by id, type", row -> row.text("type")));
  }

  /// Numbered or not.
  private long told(String kind) {
    String count = "select count(*) as n from TABLE where kind = ?";
    return database.read(tx ->
        tx.number(count.replace("TABLE", "event"), kind)
            + (tx.dialect() == Dialect.POSTGRES
                ? tx.number(count.replace("TABLE", "event_staging"), kind)
                : 0));
  }
}
