package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.AgentMessages;
import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.provider.ExternalProvider;
import dev.substrat.provider.Provider;
import dev.substrat.provider.Providers;
import dev.substrat.provider.prompt.PromptBuilder;
import dev.substrat.provider.scripted.ScriptedProvider;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Agents;
import dev.substrat.testkit.SettableClock;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import dev.substrat.turn.run.Runs;
import dev.substrat.turn.scheduling.RunningTurns;
import dev.substrat.turn.scheduling.Slots;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/// The engine without HTTP: agents, messages and turns on an empty database with a manual clock.
final class TestTeam implements AutoCloseable {
  static final Duration LEASE = Duration.ofSeconds(30);

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final TestDatabase place;
  final Database database;
  final SettableClock clock = new SettableClock(Instant.now());
  final EventLog events;
  final Engine engine;
  final Agents agents;
  final Messages messages;
  final AgentMessages mail;
  final RunningTurns running;
  final TurnCancellation cancellation;
  final Runs runs;
  final Transcript transcript;
  final PromptBuilder prompts;
  private final Telemetry telemetry = Telemetry.withoutExport();
  private final TurnDispatcher turns;

  TestTeam(Dialect dialect, int slots) {
    this(dialect, slots, List.of(new ScriptedProvider(), new ExternalProvider()));
  }

  /// With other providers than the scripted one.
  TestTeam(Dialect dialect, int slots, List<Provider> moreProviders) {
    this(TestDatabase.fresh(dialect), slots, moreProviders, UnaryOperator.identity());
  }

  /// On a database that `watch` observes.
  TestTeam(TestDatabase place, int slots, UnaryOperator<Database> watch) {
    this(place, slots, List.of(new ScriptedProvider(), new ExternalProvider()), watch);
  }

  private TestTeam(
      TestDatabase place, int slots, List<Provider> moreProviders, UnaryOperator<Database> watch) {
    this.place = place;
    this.database = watch.apply(place.open());
    this.events = new EventLog(database, clock);
    this.engine =
        new Engine(
            new EngineDependencies(database, events, telemetry, clock, TurnSleep.REAL),
            new Providers(moreProviders));
    this.messages = engine.messages();
    this.agents = engine.agents();
    this.cancellation = engine.cancellation();
    this.mail = messages.agentMessages();
    this.running = engine.running();
    this.runs = engine.runs();
    this.transcript = engine.transcript();
    this.prompts = engine.prompts();
    this.turns =
        new TurnDispatcher(
            database,
            events,
            new Slots(Slots.SlotCaps.of(slots)),
            engine.turnParts(),
            AgentId.random().value(),
            LEASE,
            DaemonSettings.DEFAULT_STOP_GRACE);
  }

  /// The same database as another daemon would have it; SQLite has only one.
  Database another() {
    return place.dialect() == Dialect.POSTGRES ? place.open() : database;
  }

  /// Creates an agent from YAML, as a person would write it.
  Agent agent(String yaml) {
    AgentConfig config = Json.as(Yaml.own(yaml), AgentConfig.class);
    return agents.create(engine.providers().prepare(config));
  }

  /// A question of the operator.
  Message ask(String agent, String text) {
    return messages.fromOperator(agent, new Messages.PersonMessage(text, true, null), null);
  }

  /// Waits for the answer to `question`.
  String answer(Message question) {
    await(() -> messages.findReply(question.id()).isPresent());
    return messages.findReply(question.id()).orElseThrow().text();
  }

  Message.MessageStatus status(Message message) {
    return messages.require(message.id()).status();
  }

  /// How many events of a kind there have been.
  long count(String kind) {
    return events.after(0, Event.EventFilter.NONE, 10_000).stream()
        .filter(event -> event.kind().equals(kind))
        .count();
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

  /// Ends turns as a daemon that stops does.
  void stop() {
    turns.close();
  }

  @Override
  public void close() throws IOException {
    turns.close();
    events.close();
    telemetry.close();
    place.close();
  }
}
