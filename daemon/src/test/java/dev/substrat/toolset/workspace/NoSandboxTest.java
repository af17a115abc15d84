package dev.substrat.toolset.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.address.AllowedHosts;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.mcp.client.McpConnector;
import dev.substrat.memory.search.HybridSearch;
import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.config.SpaceGuardLimits;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.toolconfig.AllowedEnvironment;
import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.SettableClock;
import dev.substrat.turn.SteppedDispatcher;
import dev.substrat.turn.TurnSleep;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A machine without a sandbox: programs run anyway, unless a sandbox is required, and this is
/// reported.
@OnEveryDatabase
@Timeout(300)
@Requirement("S0-29")
final class NoSandboxTest {
  private final TestDatabase place;
  private final Telemetry telemetry = Telemetry.withoutExport();
  private final GuardedHttpClient outgoing =
      new GuardedHttpClient(AllowedHosts.NONE, telemetry, "test");
  private final EventLog events;
  private final Engine engine;
  private final SteppedDispatcher turns;

  NoSandboxTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    Database database = place.open();
    var clock = new SettableClock(Instant.ofEpochMilli(System.currentTimeMillis()));
    this.events = new EventLog(database, clock);
    Path data = place.directory();
    var outside =
        new EngineDependencies.ExternalServices(
            outgoing,
            new McpConnector(outgoing, "test", Sandbox.none("nobody built any")),
            AllowedEnvironment.allowing(Set.of()),
            () -> "http://127.0.0.1",
            data);
    var search = HybridSearch.ofWords(database);
    var ground =
        new EngineDependencies(
            database,
            events,
            telemetry,
            clock,
            TurnSleep.REAL,
            SpaceGuardLimits.DEFAULT,
            search,
            outside);
    this.engine = new Engine(ground);
    this.turns = new SteppedDispatcher(database, engine.turnParts(), "here");
  }

  @AfterEach
  void close() throws IOException {
    outgoing.close();
    events.close();
    telemetry.close();
    place.close();
  }

  private Message run(String workspace) {
    String yaml =
        """
        name: ada
        workspace: %s
        provider:
          name: scripted
          command: [sh, -c, "read turn; echo '{\\"type\\":\\"done\\",\\"response\\":\\"ran\\"}'"]
        """
            .formatted(workspace);
    var config = Json.as(Yaml.own(yaml), AgentConfig.class);
    Agent ada = engine.agents().create(engine.providers().prepare(config));
    Message question =
        engine.messages().fromOperator("ada", new Messages.PersonMessage("go", true, null), null);
    turns.run(ada.id());
    return question;
  }

  private long told(String kind) {
    return engine
        .dependencies()
        .database()
        .<Long>read(tx ->
            tx.number("select count(*) as n from event where kind = ?", kind)
                + switch (tx.dialect()) {
                  case SQLITE -> 0;
                  case POSTGRES ->
                      tx.number("select count(*) as n from event_staging where kind = ?", kind);
                });
  }

  @Test
  void a_program_runs_without_a_sandbox_and_its_run_records_that() {
    Message question = run("{}");
    assertThat(engine.messages().findReply(question.id()).orElseThrow().text()).isEqualTo("ran");
    assertThat(told("run_without_sandbox")).isEqualTo(1);
  }

  @Test
  void with_sandbox_off_a_missing_sandbox_is_not_reported() {
    Message question = run("{ sandbox: off }");
    assertThat(engine.messages().findReply(question.id())).isPresent();
    assertThat(told("run_without_sandbox")).isZero();
  }

  @Test
  void if_a_sandbox_is_required_no_program_runs() {
    Message question = run("{ sandbox: required }");
    assertThat(engine.messages().findReply(question.id())).isEmpty();
    assertThat(engine.runs().newest(null, 1).getFirst().stopReason())
        .contains("a sandbox is required, but does not work on this machine: nobody built any");
  }
}
