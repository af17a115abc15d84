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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/// Durable messages per second, from sending to the end of the turn that consumed them, in teams of
/// different size of which 16 agents are busy. Idle agents must not cost time.
record TeamBench(Duration time, int rounds) {
  private static final int BUSY = 16;
  private static final int MANY = 10_000;

  BenchmarkReport run() throws Exception {
    var one = new BenchmarkFigure("1 agent, 1 busy");
    var hundred = new BenchmarkFigure("100 agents, 16 busy");
    var many = new BenchmarkFigure("10,000 agents, 16 busy");
    Path folder = Files.createTempDirectory(Path.of("target"), "bench-");
    long before = usedHeap();
    try (var few = new BusyTeam(open(folder, "few"), 1);
        var some = new BusyTeam(open(folder, "some"), 100)) {
      long middle = usedHeap();
      try (var lots = new BusyTeam(open(folder, "lots"), MANY)) {
        long perIdle = Math.max(0, usedHeap() - middle) / MANY;
        for (int round = 0; round <= rounds; round++) {
          System.err.printf("team: round %d of %d%n", round, rounds);
          record(one, round, ThroughputMeasurement.of(1, time, few::writeAndAwait));
          record(hundred, round, ThroughputMeasurement.of(BUSY, time, some::writeAndAwait));
          record(many, round, ThroughputMeasurement.of(BUSY, time, lots::writeAndAwait));
        }
        long latency = median(200, () -> some.untilTurnStarts(0));
        long commit = median(200, () -> commit(some));
        return new BenchmarkReport("team", "messages/s", hundred, List.of(one, hundred, many))
            .noting(
                String.format(
                    Locale.ROOT,
                    "cost per message with 10,000 agents to 100: %.2fx (bar: at most 1.2x)",
                    hundred.ratioTo(many)))
            .noting(
                String.format(
                    Locale.ROOT,
                    "from sending to the start of the turn, p50: %.1fx a durable commit (bar: 10x)",
                    latency / (double) commit))
            .noting(
                "heap per idle agent: %d bytes; before any: %d kB"
                    .formatted(perIdle, before / 1024));
      }
    }
  }

  private static Database open(Path folder, String name) {
    return Database.embedded(folder.resolve(name + ".db"), InstantSource.system());
  }

  private static void record(BenchmarkFigure figure, int round, double rate) {
    // The first round warms up and is not counted.
    if (round > 0) {
      figure.add(rate);
    }
  }

  private static long commit(BusyTeam team) {
    long start = System.nanoTime();
    team.commitOnce();
    return System.nanoTime() - start;
  }

  /// One measurement.
  private interface TimedMeasurement {
    long nanos() throws Exception;
  }

  private static long median(int times, TimedMeasurement timed) throws Exception {
    var all = new long[times];
    for (int i = 0; i < times; i++) {
      all[i] = timed.nanos();
    }
    Arrays.sort(all);
    return all[times / 2];
  }

  /// Heap use after a garbage collection.
  private static long usedHeap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /// A running engine with many agents, of which a few get messages.
  private static final class BusyTeam implements AutoCloseable {
    private static final int SLOTS = 16;

    private final Database database;
    private final EventLog events;
    private final Engine engine;
    private final Engine.RunningEngine turns;
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
      this.turns = engine.start(new Slots(Slots.SlotCaps.of(SLOTS)), "bench");
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

    /// The smallest durable change. SQLite writes nothing if a row is unchanged, so this one always
    /// changes.
    void commitOnce() {
      database.transact(tx -> tx.update("update bench_mark set n = n + 1"));
    }

    private void write(int agent) {
      engine
          .messages()
          .fromOperator(name(agent), new Messages.PersonMessage("go", false, null), null);
    }

    private void listen() {
      long after = events.last();
      try {
        while (!closing) {
          long rings = events.signal().count();
          for (Event event : events.after(after, Event.EventFilter.NONE, 1000)) {
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
      var waiter =
          waiting.isEmpty() ? null : waiting.remove(event.payload().path("agent").asText());
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
}
