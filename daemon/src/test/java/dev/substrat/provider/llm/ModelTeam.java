package dev.substrat.provider.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.address.AllowedHosts;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.mcp.client.McpConnector;
import dev.substrat.memory.search.HybridSearch;
import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.config.SpaceGuardLimits;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.toolconfig.AllowedEnvironment;
import dev.substrat.testkit.SettableClock;
import dev.substrat.testkit.llm.ScriptedLlm;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.turn.SteppedDispatcher;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import dev.substrat.turn.run.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/// Agents with a scripted model on an empty database. Turns run one at a time when the test says
/// so. Pauses do not really wait; their durations are recorded.
final class ModelTeam implements AutoCloseable {
  static final String KEY = "sk-canary-51b7e2";
  private static final Duration LIMIT = Duration.ofMinutes(2);

  final ScriptedLlm llm = ScriptedLlm.start();
  final TestDatabase place;
  final Database database;
  final SettableClock clock = new SettableClock(Instant.ofEpochMilli(System.currentTimeMillis()));
  final EventLog events;
  final Engine engine;
  final SteppedDispatcher turns;
  final List<Duration> pauses = new CopyOnWriteArrayList<>();
  private final Telemetry telemetry = Telemetry.withoutExport();
  private final GuardedHttpClient outgoing =
      new GuardedHttpClient(AllowedHosts.NONE, telemetry, "test");

  ModelTeam(Dialect dialect) {
    this(dialect, Duration.ZERO);
  }

  /// On a clock that advances by `tick` with every read.
  ModelTeam(Dialect dialect, Duration tick) {
    this.place = TestDatabase.fresh(dialect);
    this.database = place.open();
    InstantSource time =
        () -> {
          clock.pass(tick);
          return clock.instant();
        };
    this.events = new EventLog(database, time);
    var environment =
        new AllowedEnvironment(Set.of("KEY", "UNSET"), Map.of("KEY", KEY, "OPENAI_API_KEY", KEY));
    var outside =
        new EngineDependencies.ExternalServices(
            outgoing,
            new McpConnector(outgoing, "dev"),
            environment,
            () -> "http://127.0.0.1",
            Path.of("target"));
    this.engine =
        new Engine(
            new EngineDependencies(
                database,
                events,
                telemetry,
                time,
                pauses::add,
                SpaceGuardLimits.DEFAULT,
                HybridSearch.ofWords(database),
                outside));
    this.turns = new SteppedDispatcher(database, engine.turnParts(), "here");
  }

  /// An agent of one of the providers, with more of its provider's settings and of its own.
  Agent agent(String name, String provider, String settings, String more) {
    String base = provider.equals("openai") || provider.equals("ollama") ? "/v1" : "";
    String yaml =
        "name: %s\nprovider: { name: %s, model: fake-1, baseUrl: '%s%s', apiKey: '${env.KEY}'%s }\n%s"
            .formatted(
                name, provider, llm.url(), base, settings.isEmpty() ? "" : ", " + settings, more);
    AgentConfig config = Json.as(Yaml.own(yaml), AgentConfig.class);
    engine.customTools().require(config, engine.pipeline().builtIn());
    return engine.agents().create(engine.providers().prepare(config));
  }

  Agent agent(String name, String provider) {
    return agent(name, provider, "", "");
  }

  Message ask(String agent, String text) {
    return engine
        .messages()
        .fromOperator(agent, new Messages.PersonMessage(text, true, null), null);
  }

  /// Sends a question, runs turns until all agents are idle, and returns the answer.
  String answer(String agent, String text) {
    Message question = ask(agent, text);
    runAll();
    return engine.messages().findReply(question.id()).map(Message::text).orElse("");
  }

  /// Runs all ready agents, one turn at a time, until none is ready.
  void runAll() {
    for (List<AgentId> ready = turns.ready(); !ready.isEmpty(); ready = turns.ready()) {
      turns.run(ready.getFirst());
    }
  }

  Run lastRun(Agent agent) {
    return engine.runs().newest(agent.id(), 1).getFirst();
  }

  List<Transcript.TranscriptLine> record(Run run) {
    return engine.transcript().of(new RunId(run.id()), "", 1_000);
  }

  /// The events of a kind, once there are so many.
  List<Event> told(String kind, int number) {
    await(() -> told(kind).size() >= number);
    return told(kind);
  }

  List<Event> told(String kind) {
    return events.after(0, Event.EventFilter.NONE, 100_000).stream()
        .filter(event -> event.kind().equals(kind))
        .toList();
  }

  /// Checks the condition after every commit, up to a timeout.
  void await(BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      long seen = events.signal().count();
      if (condition.getAsBoolean()) {
        return;
      }
      assertThat(System.nanoTime()).as("still waiting after " + LIMIT).isLessThan(end);
      try {
        events.signal().awaitMoreThan(seen, Duration.ofMillis(200));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    llm.close();
    outgoing.close();
    events.close();
    telemetry.close();
    place.close();
  }
}
