package dev.substrat.simulation;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.SteppedSqlite;
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

/// Plays one history: the scheduler decides step by step who goes on, and the laws are checked on
/// the way and when everything has come to rest.
///
/// Everything here belongs to whoever has the baton.
final class World implements AutoCloseable {
  /// Far more than any history that comes to rest has needed. Those with a room in which everybody
  /// answers everything are long: each word has many answers, until the chain is too deep.
  static final int MOST_STEPS = 200_000;

  /// Larger than any daemon's clock is wrong: what is due by then is due for all of them.
  private static final Duration SLACK = Duration.ofSeconds(6);

  private final Plan plan;
  private final int mostSteps;
  private final Sabotage sabotage;
  private final Random random;
  private final SteppedSqlite database;
  private final Laws laws;
  private final Story story;
  private final List<Node> nodes = new ArrayList<>();
  private final Deque<Act> acts;
  private final Map<AgentId, String> names = new HashMap<>();
  private final long[] skews;
  private final Outside outside;
  private long now = Instant.parse("2026-01-01T12:00:00Z").toEpochMilli();
  private int step;
  private int swept;

  World(Plan plan, Sabotage sabotage, Story story, int mostSteps) {
    this.plan = plan;
    this.mostSteps = mostSteps;
    this.sabotage = sabotage;
    this.story = story;
    this.random = new Random(plan.order());
    this.database = SteppedSqlite.open(() -> now, sabotage::rewrite);
    this.laws = new Laws(database);
    this.acts = new ArrayDeque<>(plan.acts());
    this.skews = new long[plan.daemons()];
    this.outside = new Outside(this);
    for (int i = 0; i < plan.daemons(); i++) {
      nodes.add(new Node(this, i, database));
    }
    plan.team().forEach(this::create);
  }

  private void create(Plan.Member member) {
    var engine = nodes.getFirst().engine();
    AgentConfig config = Json.as(member.config(), AgentConfig.class);
    engine.agents().create(engine.providers().prepare(config));
  }

  Plan plan() {
    return plan;
  }

  Random random() {
    return random;
  }

  Sabotage sabotage() {
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
    return Corner.reached(database);
  }

  /// What an agent is called, also one that was spawned on the way.
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

  /// Plays until nothing is left to happen, or a law is broken.
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
    throw new Broken("every history comes to rest", "after " + step + " steps it still goes on");
  }

  /// False if nothing will ever happen again.
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
    boolean isSoon = !acts.isEmpty() && acts.peek().at() < Act.AT_REST;
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
    for (Node node : living()) {
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

  private void goOn(Actor actor) {
    story.record(step, actor, "goes on " + actor.where());
    actor.resume();
    if (actor.isDone()) {
      actor.node().actors().remove(actor);
      actor.node().forgetLook();
      Throwable failure = actor.failure();
      if (failure instanceof Broken broken) {
        throw broken;
      }
      if (failure != null) {
        throw new Broken("nothing of the engine breaks", actor + " broke: " + failure, failure);
      }
    }
  }

  /// Nobody can go on: time passes until somebody can.
  private boolean passTime() {
    swept = 0;
    for (Node node : living()) {
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
    // Whoever sleeps too long is to be interrupted, and not to be passed over.
    long most = sleepers().isEmpty() ? Long.MAX_VALUE : Duration.ofMinutes(5).toMillis();
    due.ifPresent(time -> jump(Math.min(most, time + SLACK.toMillis() + 1 - now), true));
    return due.isPresent();
  }

  /// Those whose turn is under way; their leases are renewed while time passes.
  private Set<String> busy() {
    return living().stream()
        .flatMap(node -> node.actors().stream())
        .map(Actor::agent)
        .filter(Objects::nonNull)
        .map(AgentId::value)
        .collect(Collectors.toSet());
  }

  private List<Long> sleepers() {
    return living().stream()
        .flatMap(node -> node.actors().stream())
        .map(Actor::asleepUntil)
        .filter(time -> time > 0)
        .toList();
  }

  void jump(long millis, boolean gently) {
    now += millis;
    story.tell(
        step, Duration.ofMillis(millis) + " passes" + (gently ? "" : " as if the machine slept"));
    if (gently) {
      living().forEach(Node::renew);
    }
  }

  void setClock(int node, long millis) {
    skews[node] = millis;
    story.tell(step, "the clock of daemon " + (node + 1) + " is " + millis + " ms off");
  }

  List<Node> living() {
    return nodes.stream().filter(Node::isAlive).toList();
  }

  /// The daemon dies; its place stays empty if there is another one to go on.
  void crash(int index, boolean forGood) {
    Node node = nodes.get(index);
    if (!node.isAlive()) {
      return;
    }
    story.crash(step, node);
    List<Actor> requests = node.actors().stream().filter(actor -> actor.agent() == null).toList();
    node.die();
    if (forGood && !living().isEmpty()) {
      story.tell(step, node.owner() + " stays away");
    } else {
      restart(node);
    }
    requests.forEach(outside::askAgain);
  }

  void stop(int index) {
    Node node = nodes.get(index);
    if (node.isAlive() && !node.isStopping()) {
      story.tell(step, node.owner() + " is told to stop");
      node.stop();
    }
  }

  private void restart(Node node) {
    story.tell(step, node.owner() + " starts again");
    nodes.set(node.index(), new Node(this, node.index(), database));
  }

  @Override
  public void close() {
    living().forEach(Node::die);
    database.close();
  }
}
