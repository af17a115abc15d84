package dev.substrat.simulation;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.store.SingleThreadedSqlite;
import dev.substrat.store.event.EventLog;
import dev.substrat.turn.SteppedDispatcher;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One daemon of a simulation: an engine, its owner's name, and its own clock. After a crash a new
/// one replaces it; the memory of the old one is lost.
final class SimulatedDaemon {
  /// Counting the figures of one JVM once is enough.
  private static final Telemetry TELEMETRY = Telemetry.withoutExport();

  private final Simulation world;
  private final int index;
  private final Engine engine;
  private final SteppedDispatcher turns;
  private final List<SimulatedThread> actors = new ArrayList<>();
  private boolean alive = true;
  private boolean stopping;
  private @Nullable SimulatedThread sweeper;
  private String lookedAt = "";

  SimulatedDaemon(Simulation world, int index, SingleThreadedSqlite shared) {
    this.world = world;
    this.index = index;
    var database = new InterleavingDatabase(world, this, shared);
    InstantSource clock = () -> Instant.ofEpochMilli(world.now() + world.skew(index));
    this.engine =
        new Engine(
            new EngineDependencies(
                database, new EventLog(database, clock), TELEMETRY, clock, this::sleep));
    this.turns = new SteppedDispatcher(database, engine.turnParts(), owner());
    turns.recover();
  }

  /// The same after a restart.
  String owner() {
    return "daemon " + (index + 1);
  }

  int index() {
    return index;
  }

  Engine engine() {
    return engine;
  }

  boolean isAlive() {
    return alive;
  }

  boolean isStopping() {
    return stopping;
  }

  /// Running threads, oldest first.
  List<SimulatedThread> actors() {
    return actors;
  }

  private void sleep(Duration time) throws InterruptedException {
    Objects.requireNonNull(SimulatedThread.current()).sleepUntil(world.now() + time.toMillis());
  }

  /// Whether something changed since the last search for ready agents found none.
  boolean mayLook(String state) {
    return alive && !stopping && !lookedAt.equals(state);
  }

  /// Finds a ready agent and starts its turn, if a slot is free.
  Optional<SimulatedThread> look(String state) {
    List<AgentId> ready =
        turns.ready().stream()
            .filter(agent -> actors.stream().noneMatch(actor -> agent.equals(actor.agent())))
            .toList();
    long thinking = actors.stream().filter(actor -> actor.agent() != null).count();
    if (ready.isEmpty() || thinking >= world.plan().slots()) {
      lookedAt = state;
      return Optional.empty();
    }
    AgentId agent = ready.get(world.random().nextInt(ready.size()));
    String name = "turn of " + world.nameOf(agent);
    return Optional.of(add(new SimulatedThread(name, this, agent, () -> turns.run(agent))));
  }

  /// A slot may be free, so the last search does not count any more.
  void forgetLook() {
    lookedAt = "";
  }

  /// Periodic tasks, unless they are running already.
  Optional<SimulatedThread> sweep() {
    if (sweeper != null && !sweeper.isDone()) {
      return Optional.empty();
    }
    sweeper =
        request("sweep", () -> engine.sweeps().forEach(sweep -> world.swept(sweep.getAsInt())));
    return Optional.of(sweeper);
  }

  SimulatedThread request(String name, Runnable work) {
    return add(new SimulatedThread(name, this, null, work));
  }

  private SimulatedThread add(SimulatedThread actor) {
    actors.add(actor);
    return actor;
  }

  void renew() {
    turns.renew();
  }

  /// Its threads never run again, wherever they are.
  void die() {
    alive = false;
    for (SimulatedThread actor : List.copyOf(actors)) {
      while (!actor.isDone()) {
        actor.resume();
      }
    }
  }

  /// Starts no more turns and ends running ones.
  void stop() {
    stopping = true;
    actors.stream().filter(actor -> actor.agent() != null).forEach(SimulatedThread::interrupt);
  }
}
