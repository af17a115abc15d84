package dev.substrat.simulation;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.store.SteppedSqlite;
import dev.substrat.store.event.EventLog;
import dev.substrat.turn.SteppedTurns;
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

/// One daemon of a simulation: an engine, its owner's name, a clock of its own. After a crash a new
/// one takes its place; what was in memory is gone with the old one.
final class Node {
  /// Counting the figures of one JVM once is enough.
  private static final Telemetry TELEMETRY = Telemetry.withoutExport();

  private final World world;
  private final int index;
  private final Engine engine;
  private final SteppedTurns turns;
  private final List<Actor> actors = new ArrayList<>();
  private boolean alive = true;
  private boolean stopping;
  private @Nullable Actor sweeper;
  private String lookedAt = "";

  Node(World world, int index, SteppedSqlite shared) {
    this.world = world;
    this.index = index;
    var database = new SharedDatabase(world, this, shared);
    InstantSource clock = () -> Instant.ofEpochMilli(world.now() + world.skew(index));
    this.engine =
        new Engine(
            new EngineDependencies(
                database, new EventLog(database, clock), TELEMETRY, clock, this::sleep));
    this.turns = new SteppedTurns(database, engine.turnParts(), owner());
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

  /// Those who have not come to their end, oldest first.
  List<Actor> actors() {
    return actors;
  }

  private void sleep(Duration time) throws InterruptedException {
    Objects.requireNonNull(Actor.current()).sleepUntil(world.now() + time.toMillis());
  }

  /// Whether something has changed since it looked for work and found none.
  boolean mayLook(String state) {
    return alive && !stopping && !lookedAt.equals(state);
  }

  /// Looks for an agent that has something to do and starts its turn, if a slot is free.
  Optional<Actor> look(String state) {
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
    return Optional.of(add(new Actor(name, this, agent, () -> turns.run(agent))));
  }

  /// A slot may be free, so the last look says nothing any more.
  void forgetLook() {
    lookedAt = "";
  }

  /// What time brings about, unless it is at that already.
  Optional<Actor> sweep() {
    if (sweeper != null && !sweeper.isDone()) {
      return Optional.empty();
    }
    sweeper =
        request("sweep", () -> engine.sweeps().forEach(sweep -> world.swept(sweep.getAsInt())));
    return Optional.of(sweeper);
  }

  Actor request(String name, Runnable work) {
    return add(new Actor(name, this, null, work));
  }

  private Actor add(Actor actor) {
    actors.add(actor);
    return actor;
  }

  void renew() {
    turns.renew();
  }

  /// Its threads never run again, wherever they are.
  void die() {
    alive = false;
    for (Actor actor : List.copyOf(actors)) {
      while (!actor.isDone()) {
        actor.resume();
      }
    }
  }

  /// Starts nothing more and ends what is under way.
  void stop() {
    stopping = true;
    actors.stream().filter(actor -> actor.agent() != null).forEach(Actor::interrupt);
  }
}
