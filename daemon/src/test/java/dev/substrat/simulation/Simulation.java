package dev.substrat.simulation;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.SingleThreadedSqlite;
import dev.substrat.team.AgentConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/// Runs one history: the scheduler chooses the next thread at each step, and the invariants are
/// checked during the run and at its end.
///
/// All state belongs to the thread that has the baton.
final class Simulation implements AutoCloseable {
  /// Far more than any history that becomes idle has needed. Histories with a space in which every
  /// agent answers every message are long: each message has many answers, until the chain is too
  /// deep.
  static final int MOST_STEPS = 200_000;

  /// Larger than the skew of any daemon's clock: a task due by then is due for all of them.
  private static final Duration SLACK = Duration.ofSeconds(6);

  private final SimulationPlan plan;
  private final int mostSteps;
  private final InjectedBug sabotage;
  private final Random random;
  private final SingleThreadedSqlite database;
  private final InvariantChecks laws;
  private final SimulationLog story;
  private final List<SimulatedDaemon> nodes = new ArrayList<>();
  private final Deque<ExternalAction> acts;
  private final Map<AgentId, String> names = new HashMap<>();
  private final long[] skews;
  private final ExternalRequests outside;
  private long now = Instant.parse("2026-01-01T12:00:00Z").toEpochMilli();
  private int step;
  private int swept;

  Simulation(SimulationPlan plan, InjectedBug sabotage, SimulationLog story, int mostSteps) {
    this.plan = plan;
    this.mostSteps = mostSteps;
    this.sabotage = sabotage;
    this.story = story;
    this.random = new Random(plan.order());
    this.database = SingleThreadedSqlite.open(() -> now, sabotage::rewrite);
    this.laws = new InvariantChecks(database);
    this.acts = new ArrayDeque<>(plan.acts());
    this.skews = new long[plan.daemons()];
    this.outside = new ExternalRequests(this);
    for (int i = 0; i < plan.daemons(); i++) {
      nodes.add(new SimulatedDaemon(this, i, database));
    }
    plan.team().forEach(this::create);
  }

  private void create(SimulationPlan.Member member) {
    var engine = nodes.getFirst().engine();
    AgentConfig config = Json.as(member.config(), AgentConfig.class);
    engine.agents().create(engine.providers().prepare(config));
  }

  SimulationPlan plan() {
    return plan;
  }

  Random random() {
    return random;
  }

  InjectedBug sabotage() {
    return sabotage;
  }

  long now() {
    return now;
  }

  long skew(int node) {
    return skews[node];
  }

  int steps() {
    return step;
  }

  Set<String> corners() {
    return CoveredSituation.reached(database);
  }

  /// The name of an agent, also of a spawned one.
  String nameOf(AgentId agent) {
    return names.computeIfAbsent(
        agent,
        id ->
            database.read(tx ->
                tx.find(
                        "select handle from agent where id = ?",
                        row -> row.text("handle"),
                        id.value())
                    .orElse("nobody")));
  }

  void note(String what) {
    story.note(step, what);
  }

  void swept(int count) {
    swept += count;
  }

  /// Runs until nothing is left to do, or an invariant is violated.
  void play() {
    while (step < mostSteps) {
      step++;
      long commits = database.commits();
      if (!oneStep()) {
        laws.atRest();
        return;
      }
      if (database.commits() != commits) {
        story.tellEvents(step, database);
        laws.always(step);
      }
    }
    throw new InvariantViolation(
        "every history becomes idle", "after " + step + " steps it is not idle");
  }

  /// False if nothing can happen any more.
  private boolean oneStep() {
    if (!acts.isEmpty() && acts.peek().at() <= step) {
      outside.perform(acts.poll());
      return true;
    }
    if (random.nextInt(50) == 0) {
      living().get(random.nextInt(living().size())).sweep();
    }
    List<Runnable> choices = choices();
    if (!choices.isEmpty()) {
      choices.get(random.nextInt(choices.size())).run();
      return true;
    }
    boolean isSoon = !acts.isEmpty() && acts.peek().at() < ExternalAction.AT_REST;
    if (!isSoon && passTime()) {
      return true;
    }
    if (acts.isEmpty()) {
      return false;
    }
    outside.perform(acts.poll());
    return true;
  }

  private List<Runnable> choices() {
    var choices = new ArrayList<Runnable>();
    String state = database.commits() + "/" + now;
    for (SimulatedDaemon node : living()) {
      node.actors().stream()
          .filter(actor -> actor.isRunnable(now))
          .forEach(actor -> choices.add(() -> goOn(actor)));
      if (node.mayLook(state)) {
        choices.add(() -> node.look(state).ifPresent(actor -> story.record(step, actor, "starts")));
      }
      if (node.isStopping() && node.actors().isEmpty()) {
        choices.add(() -> restart(node));
      }
    }
    return choices;
  }

  private void goOn(SimulatedThread actor) {
    story.record(step, actor, "continues " + actor.where());
    actor.resume();
    if (actor.isDone()) {
      actor.node().actors().remove(actor);
      actor.node().forgetLook();
      Throwable failure = actor.failure();
      if (failure instanceof InvariantViolation broken) {
        throw broken;
      }
      if (failure != null) {
        throw new InvariantViolation(
            "the engine throws no unexpected exception", actor + " failed: " + failure, failure);
      }
    }
  }

  /// No thread can run: time passes until one can.
  private boolean passTime() {
    swept = 0;
    for (SimulatedDaemon node : living()) {
      node.sweep()
          .ifPresent(sweep -> {
            while (!sweep.isDone()) {
              goOn(sweep);
            }
          });
    }
    if (swept > 0) {
      return true;
    }
    Optional<Long> due = laws.nextDue(now - SLACK.toMillis(), sleepers(), busy());
    // A thread that sleeps too long must be interrupted, not skipped.
    long most = sleepers().isEmpty() ? Long.MAX_VALUE : Duration.ofMinutes(5).toMillis();
    due.ifPresent(time -> jump(Math.min(most, time + SLACK.toMillis() + 1 - now), true));
    return due.isPresent();
  }

  /// Agents with a running turn; their leases are renewed while time passes.
  private Set<String> busy() {
    return living().stream()
        .flatMap(node -> node.actors().stream())
        .map(SimulatedThread::agent)
        .filter(Objects::nonNull)
        .map(AgentId::value)
        .collect(Collectors.toSet());
  }

  private List<Long> sleepers() {
    return living().stream()
        .flatMap(node -> node.actors().stream())
        .map(SimulatedThread::asleepUntil)
        .filter(time -> time > 0)
        .toList();
  }

  void jump(long millis, boolean gently) {
    now += millis;
    story.tell(
        step, Duration.ofMillis(millis) + " passes" + (gently ? "" : " as if the machine slept"));
    if (gently) {
      living().forEach(SimulatedDaemon::renew);
    }
  }

  void setClock(int node, long millis) {
    skews[node] = millis;
    story.tell(step, "the clock of daemon " + (node + 1) + " is " + millis + " ms off");
  }

  List<SimulatedDaemon> living() {
    return nodes.stream().filter(SimulatedDaemon::isAlive).toList();
  }

  /// The daemon dies; it is not replaced if another one can continue.
  void crash(int index, boolean forGood) {
    SimulatedDaemon node = nodes.get(index);
    if (!node.isAlive()) {
      return;
    }
    story.crash(step, node);
    List<SimulatedThread> requests =
        node.actors().stream().filter(actor -> actor.agent() == null).toList();
    node.die();
    if (forGood && !living().isEmpty()) {
      story.tell(step, node.owner() + " is not restarted");
    } else {
      restart(node);
    }
    requests.forEach(outside::askAgain);
  }

  void stop(int index) {
    SimulatedDaemon node = nodes.get(index);
    if (node.isAlive() && !node.isStopping()) {
      story.tell(step, node.owner() + " gets a stop request");
      node.stop();
    }
  }

  private void restart(SimulatedDaemon node) {
    story.tell(step, node.owner() + " starts again");
    nodes.set(node.index(), new SimulatedDaemon(this, node.index(), database));
  }

  @Override
  public void close() {
    living().forEach(SimulatedDaemon::die);
    database.close();
  }
}
