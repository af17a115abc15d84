package dev.substrat.space;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.memory.search.HybridSearch;
import dev.substrat.platform.config.SpaceGuardLimits;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.provider.ExternalProvider;
import dev.substrat.provider.Provider;
import dev.substrat.provider.Providers;
import dev.substrat.provider.scripted.ScriptedProvider;
import dev.substrat.space.Space.SpaceKind;
import dev.substrat.space.Space.WakePolicy;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.testkit.SettableClock;
import dev.substrat.tool.ToolCall;
import dev.substrat.turn.SteppedDispatcher;
import dev.substrat.turn.TurnSleep;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Agents and spaces on an empty database. Turns run one at a time when the test says so, on a
/// manual clock.
final class SpaceTeam implements AutoCloseable {
  /// With more turns than this, the team never becomes idle.
  private static final int MOST_TURNS = 2_000;

  private final TestDatabase place;
  private final Telemetry telemetry = Telemetry.withoutExport();
  final Database database;
  final SettableClock clock = new SettableClock(Instant.ofEpochMilli(System.currentTimeMillis()));
  final EventLog events;
  final Engine engine;
  final Spaces spaces;
  final SteppedDispatcher turns;

  SpaceTeam(Dialect dialect) {
    this(dialect, SpaceGuardLimits.DEFAULT);
  }

  SpaceTeam(Dialect dialect, SpaceGuardLimits guards, Provider... minds) {
    this.place = TestDatabase.fresh(dialect);
    this.database = place.open();
    this.events = new EventLog(database, clock);
    var all = new ArrayList<Provider>(List.of(new ScriptedProvider(), new ExternalProvider()));
    all.addAll(List.of(minds));
    var ground =
        new EngineDependencies(
            database,
            events,
            telemetry,
            clock,
            TurnSleep.REAL,
            guards,
            HybridSearch.ofWords(database),
            EngineDependencies.ExternalServices.guarded(telemetry));
    this.engine = new Engine(ground, new Providers(all));
    this.spaces = engine.spaces();
    this.turns = new SteppedDispatcher(database, engine.turnParts(), "here");
  }

  Agent agent(String yaml) {
    AgentConfig config = Json.as(Yaml.own(yaml), AgentConfig.class);
    return engine.agents().create(engine.providers().prepare(config));
  }

  /// An external agent with all toolsets for spaces.
  Agent external(String name) {
    return agent(
        "{name: %s, toolsets: [spaces, channels], provider: {name: external}}".formatted(name));
  }

  /// An agent that executes `steps` for every space message.
  Agent member(String name, String steps) {
    return agent(
        """
        name: %s
        toolsets: [spaces, channels, team]
        provider:
          name: scripted
          playbook:
            - when: { kind: space_message }
              do: [ %s ]
        """
            .formatted(name, steps));
  }

  /// A step that answers in the space of the message.
  static String says(String text) {
    return "{ call: send_message, with: { channelId: '{{event.space}}', text: '%s' } }"
        .formatted(text);
  }

  Space room(String id, WakePolicy policy, Agent... members) {
    return spaces.create(
        new Principal.OperatorPrincipal(),
        new Spaces.SpaceDefinition(
            id,
            id,
            SpaceKind.PRIVATE,
            null,
            policy,
            null,
            Stream.of(members).map(Agent::handle).toList()));
  }

  Space openSpace(String id, Agent... members) {
    return spaces.create(
        new Principal.OperatorPrincipal(),
        Spaces.SpaceDefinition.of(
            id, SpaceKind.PUBLIC, Stream.of(members).map(Agent::handle).toList()));
  }

  /// The operator posts a message.
  SpaceMessage say(String space, String text) {
    return spaces
        .messages()
        .post(new Principal.OperatorPrincipal(), new SpaceMessages.PostRequest(space, text), null);
  }

  /// Makes a space an agent's own active space.
  void enter(Agent agent, String space) {
    database.transact(tx ->
        tx.update("update agent set active_space = ? where id = ?", space, agent.id().value()));
  }

  /// A call of an external agent.
  JsonNode call(Agent agent, String tool, String arguments) {
    return call(agent, tool, arguments, MessageId.random().value());
  }

  JsonNode call(Agent agent, String tool, String arguments, String key) {
    var caller = engine.externalRuns().caller(agent);
    var call = new ToolCall(caller, 0, MessageId.random().value(), key);
    var input = (ObjectNode) Json.own(arguments.replace('\'', '"'));
    return engine.pipeline().call(call, tool, input).reply().json();
  }

  String refusal(Agent agent, String tool, String arguments) {
    return call(agent, tool, arguments).path("code").asText();
  }

  /// Runs all ready agents, one turn at a time, until none is ready. The clock stands still.
  int runAll() {
    int count = 0;
    for (List<AgentId> ready = turns.ready(); !ready.isEmpty(); ready = turns.ready()) {
      turns.run(ready.getFirst());
      if (++count > MOST_TURNS) {
        throw new AssertionError("this never comes to rest");
      }
    }
    return count;
  }

  /// Advances the clock from one due task to the next, until nothing is left to do.
  int settle() {
    int count = runAll();
    int idle = 0;
    for (Instant next = next(); next != null; next = next()) {
      clock.pass(Duration.between(clock.instant(), next));
      int swept = engine.sweeps().stream().mapToInt(IntSupplier::getAsInt).sum();
      int ran = runAll();
      count += ran;
      idle = swept + ran == 0 ? idle + 1 : 0;
      assertThat(idle).as("something is due again and again without effect").isLessThan(20);
    }
    return count;
  }

  private @Nullable Instant next() {
    return engine.queueStatus().read().next();
  }

  /// All messages of a space, as `author: text`.
  List<String> said(String space) {
    var range = new SpaceHistory.HistoryRange(SpaceHistory.MAX_COUNT, null, null);
    return spaces
        .history()
        .read(new Principal.OperatorPrincipal(), space, range)
        .messages()
        .stream()
        .filter(message -> message.kind() == SpaceMessage.SpaceMessageKind.MESSAGE)
        .map(message -> message.authorHandle() + ": " + message.text())
        .toList();
  }

  /// The texts of everything an agent's turns were given, in order.
  List<String> shown(String handle) {
    return engine.runs().newest(engine.agents().require(handle).id(), 100).reversed().stream()
        .flatMap(run -> engine.runs().given(new RunId(run.id())).stream())
        .map(given -> given.payload().path("text").asText())
        .toList();
  }

  /// Payloads of all events of a kind, numbered or not.
  List<JsonNode> told(String kind) {
    return database.read(tx -> {
      var all = new ArrayList<JsonNode>();
      var tables =
          tx.dialect() == Dialect.SQLITE ? List.of("event") : List.of("event", "event_staging");
      tables.forEach(table ->
          all.addAll(
              tx.list(
                  "select payload from " + table + " where kind = ?",
                  row -> Json.own(row.text("payload")),
                  kind)));
      return all;
    });
  }

  /// Checks again after every commit: on PostgreSQL events get their numbers shortly later.
  void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    for (long seen = events.signal().count(); !condition.getAsBoolean(); ) {
      assertThat(System.nanoTime()).as("still waiting").isLessThan(end);
      try {
        events.signal().awaitMoreThan(seen, Duration.ofMillis(200));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      seen = events.signal().count();
    }
  }

  long number(String sql) {
    return database.<Long>read(tx -> tx.number(sql));
  }

  @Override
  public void close() throws IOException {
    events.close();
    telemetry.close();
    place.close();
  }
}
