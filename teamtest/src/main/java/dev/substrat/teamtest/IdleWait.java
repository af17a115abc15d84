package dev.substrat.teamtest;

import dev.substrat.messaging.message.Message;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventSignal;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.scheduling.QueueStatus;
import dev.substrat.turn.scheduling.Slots;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Runs a team until it is idle, and advances the clock for it.
///
/// A team is idle when all running turns are asleep and no other can start. This is a database
/// query, repeated after every event signal. Between two runs the slots are held, so no turn starts
/// while the test reads or prepares something.
final class IdleWait {
  private static final int NEWEST = 20;
  private static final int MOVES_PER_TURN = 10;

  private final Engine engine;
  private final Slots slots;
  private final ManualClock time;
  private final EventHistory history;
  private final TeamTestOptions setup;
  private final EventSignal signal;

  IdleWait(
      Engine engine, Slots slots, ManualClock time, EventHistory history, TeamTestOptions setup) {
    this.engine = engine;
    this.slots = slots;
    this.time = time;
    this.history = history;
    this.setup = setup;
    this.signal = engine.events().signal();
    time.whenSlept(signal::notifyWaiters);
    slots.hold();
  }

  /// Runs until nothing can happen before the clock advances.
  void reach() {
    run(time.instant());
  }

  /// Advances the clock by `passing`, from one due time to the next.
  void after(Duration passing) {
    if (passing.isNegative()) {
      throw new IllegalArgumentException("the duration is negative: " + passing);
    }
    Instant then = time.instant().plus(passing);
    run(then);
    time.moveTo(then);
  }

  /// Runs until nothing is due any more.
  void forGood() {
    run(Instant.MAX);
  }

  private void run(Instant until) {
    long most = history.turns() + setup.turns;
    slots.resume();
    try {
      settle(most);
      int moves = 0;
      for (var due = next(until); due.isPresent(); due = next(until)) {
        requireFewerMoves(++moves);
        // A team that is idle after each turn but always has another one due never ends.
        requireFewer(most);
        time.moveTo(due.get());
        signal.notifyWaiters();
        settle(most);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the team was running", e);
    } finally {
      slots.hold();
    }
  }

  /// A plan can be due again and again without a turn: its agent has no budget or is external.
  private void requireFewerMoves(int moves) {
    if (moves > MOVES_PER_TURN * setup.turns) {
      throw notIdle(
          "something was due " + moves + " times; use pass(duration) with a limited duration");
    }
  }

  /// The next due time, if it is after now and not after `until`.
  private Optional<Instant> next(Instant until) {
    Instant now = time.instant();
    return Stream.of(Optional.ofNullable(engine.queueStatus().read().next()), time.nextWaking())
        .flatMap(Optional::stream)
        .filter(due -> due.isAfter(now) && !due.isAfter(until))
        .min(Comparator.naturalOrder());
  }

  private void settle(long mostTurns) throws InterruptedException {
    while (true) {
      long seen = signal.count();
      if (sweep() > 0) {
        signal.notifyWaiters();
        continue;
      }
      QueueStatus.QueueSnapshot view = engine.queueStatus().read();
      if (isIdle(view)) {
        return;
      }
      requireFewer(mostTurns);
      signal.awaitMoreThan(seen, setup.patience);
      if (signal.count() == seen) {
        throw notIdle("nothing has happened for " + setup.patience.toSeconds() + " s");
      }
    }
  }

  private void requireFewer(long mostTurns) {
    if (history.turns() > mostTurns) {
      throw notIdle("it has taken more than " + setup.turns + " turns");
    }
  }

  /// Processes everything that is due. The daemon does this as well; repeating it changes nothing.
  private int sweep() {
    return engine.sweeps().stream().mapToInt(sweep -> sweep.getAsInt()).sum();
  }

  /// A pending call that the daemon executes counts as work, unless it waits for a slot and all
  /// slots are held by sleeping turns.
  private boolean isIdle(QueueStatus.QueueSnapshot view) {
    long asleep = time.asleep();
    long awake = view.atWork() + view.executed() - asleep;
    return asleep == slots.total()
        ? awake >= 0 && awake <= slots.use().waiting()
        : awake == 0 && view.ready() == 0;
  }

  private AssertionError notIdle(String why) {
    QueueStatus.QueueSnapshot view = engine.queueStatus().read();
    List<Event> events = history.events();
    var text = new StringBuilder("the team does not become idle: ").append(why);
    text.append("\nmost messages: ").append(EventDescriptions.busiest(events));
    text.append("\nrunning: ").append(EventDescriptions.underWay(events));
    text.append(
        "\nready: %d, asleep: %d, next due: %s"
            .formatted(view.ready(), time.asleep(), view.next()));
    text.append("\nnewest messages and turns:");
    EventDescriptions.newest(events, NEWEST).forEach(line -> text.append("\n  ").append(line));
    List<Message> held = engine.messages().held(NEWEST);
    if (!held.isEmpty()) {
      text.append("\nheld:");
      held.forEach(message ->
          text.append("\n  ")
              .append(EventDescriptions.quoted(message.text()))
              .append(", because ")
              .append(message.heldReason()));
    }
    return new AssertionError(text.toString());
  }
}
