package dev.substrat.bench;

import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.store.Database;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.AgentConfig;
import dev.substrat.turn.TurnSleep;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import dev.substrat.turn.scheduling.Slots;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/// A running engine with many agents, of which a few get messages.
final class BusyTeam implements AutoCloseable {
  private static final int SLOTS = 16;

  private final Database database;
  private final EventLog events;
  private final Engine engine;
  private final Engine.AtWork turns;
  private final Map<String, CompletableFuture<Long>> started = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<Long>> ended = new ConcurrentHashMap<>();
  private volatile boolean closing;

  BusyTeam(Database database, int agents) {
    this.database = database;
    this.events = new EventLog(database, InstantSource.system());
    this.engine =
        new Engine(
            new EngineDependencies(
                database,
                events,
                Telemetry.withoutExport(),
                InstantSource.system(),
                TurnSleep.REAL));
    try (var threads = Executors.newFixedThreadPool(64)) {
      for (int agent = 0; agent < agents; agent++) {
        String name = name(agent);
        threads.execute(() -> create(name));
      }
    }
    database.transact(tx ->
        tx.update("create table bench_mark (n integer)")
            + tx.update("insert into bench_mark values (0)"));
    this.turns = engine.start(new Slots(Slots.Caps.of(SLOTS)), "bench");
    Thread.ofPlatform().daemon().name("listener").start(this::listen);
  }

  static String name(int agent) {
    return "agent-" + agent;
  }

  private void create(String name) {
    var config =
        Json.as(
            Yaml.own(
                "{name: %s, provider: {name: scripted, playbook: [{do: []}]}}".formatted(name)),
            AgentConfig.class);
    engine.agents().create(engine.providers().prepare(config));
  }

  /// Writes to an agent and waits until its turn has consumed the message.
  void writeAndAwait(int agent) throws Exception {
    var done = new CompletableFuture<Long>();
    ended.put(name(agent), done);
    write(agent);
    done.get();
  }

  /// How long it takes from writing to the start of the recipient's turn, in nanoseconds.
  long untilTurnStarts(int agent) throws Exception {
    var begun = new CompletableFuture<Long>();
    var done = new CompletableFuture<Long>();
    started.put(name(agent), begun);
    ended.put(name(agent), done);
    long start = System.nanoTime();
    write(agent);
    long nanos = begun.get() - start;
    done.get();
    return nanos;
  }

  /// The smallest durable change there is. SQLite writes nothing when a row stays as it was, so
  /// this one never does.
  void commitOnce() {
    database.transact(tx -> tx.update("update bench_mark set n = n + 1"));
  }

  private void write(int agent) {
    engine.messages().fromOperator(name(agent), new Messages.Note("go", false, null), null);
  }

  private void listen() {
    long after = events.last();
    try {
      while (!closing) {
        long rings = events.signal().count();
        for (Event event : events.after(after, Event.Filter.NONE, 1000)) {
          after = event.seq();
          complete(event);
        }
        events.signal().awaitMoreThan(rings, Duration.ofMillis(100));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void complete(Event event) {
    Map<String, CompletableFuture<Long>> waiting =
        switch (event.kind()) {
          case "turn_started" -> started;
          case "turn_ended" -> ended;
          default -> Map.of();
        };
    var waiter = waiting.isEmpty() ? null : waiting.remove(event.payload().path("agent").asText());
    if (waiter != null) {
      waiter.complete(System.nanoTime());
    }
  }

  @Override
  public void close() {
    closing = true;
    events.signal().notifyWaiters();
    turns.close();
    events.close();
    database.close();
  }
}
