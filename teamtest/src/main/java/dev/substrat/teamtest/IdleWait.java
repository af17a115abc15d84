package dev.substrat.teamtest;

import dev.substrat.messaging.message.Message;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventSignal;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.slot.QueueStatus;
import dev.substrat.turn.slot.Slots;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Lets a team run until it rests, and moves time for it.
///
/// A team rests when nobody is at work but those who sleep, and nobody else can begin. Whether it
/// does is a question to the database, asked again whenever the daemon's bell rings. Between two
/// runs the slots are held: nothing begins while the test looks or prepares the next thing.
final class IdleWait {
  private static final int NEWEST = 20;
  private static final int MOVES_PER_TURN = 10;

  private final Engine engine;
  private final Slots slots;
  private final ManualTime time;
  private final EventHistory chronicle;
  private final TeamTestOptions setup;
  private final EventSignal bell;

  IdleWait(
      Engine engine, Slots slots, ManualTime time, EventHistory chronicle, TeamTestOptions setup) {
    this.engine = engine;
    this.slots = slots;
    this.time = time;
    this.chronicle = chronicle;
    this.setup = setup;
    this.bell = engine.events().bell();
    time.whenSlept(bell::ring);
    slots.hold();
  }

  /// Runs until nothing can happen without time passing.
  void reach() {
    run(time.instant());
  }

  /// Lets `passing` go by, from one thing that is due to the next.
  void after(Duration passing) {
    if (passing.isNegative()) {
      throw new IllegalArgumentException("time does not go back");
    }
    Instant then = time.instant().plus(passing);
    run(then);
    time.moveTo(then);
  }

  /// Runs until nothing will ever happen by itself.
  void forGood() {
    run(Instant.MAX);
  }

  private void run(Instant until) {
    long most = chronicle.turns() + setup.turns;
    slots.resume();
    try {
      settle(most);
      int moves = 0;
      for (var due = next(until); due.isPresent(); due = next(until)) {
        requireFewerMoves(++moves);
        // One that rests after each turn, but always has another before it, is not at rest either.
        requireFewer(most);
        time.moveTo(due.get());
        bell.ring();
        settle(most);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the team was running", e);
    } finally {
      slots.hold();
    }
  }

  /// A plan can be due for ever without anybody taking a turn: its agent has no budget, or its mind
  /// is elsewhere.
  private void requireFewerMoves(int moves) {
    if (moves > MOVES_PER_TURN * setup.turns) {
      throw restless(
          "something was due " + moves + " times; let only as much time pass as it needs");
    }
  }

  /// What falls due next, if that is later than now and not after `until`.
  private Optional<Instant> next(Instant until) {
    Instant now = time.instant();
    return Stream.of(Optional.ofNullable(engine.outlook().look().next()), time.nextWaking())
        .flatMap(Optional::stream)
        .filter(due -> due.isAfter(now) && !due.isAfter(until))
        .min(Comparator.naturalOrder());
  }

  private void settle(long mostTurns) throws InterruptedException {
    while (true) {
      long seen = bell.rings();
      if (sweep() > 0) {
        bell.ring();
        continue;
      }
      QueueStatus.View view = engine.outlook().look();
      if (isRest(view)) {
        return;
      }
      requireFewer(mostTurns);
      bell.awaitMoreThan(seen, setup.patience);
      if (bell.rings() == seen) {
        throw restless("nothing has happened for " + setup.patience.toSeconds() + " s");
      }
    }
  }

  private void requireFewer(long mostTurns) {
    if (chronicle.turns() > mostTurns) {
      throw restless("it has taken more than " + setup.turns + " turns");
    }
  }

  /// What time brings about. The daemon does it too, every now and then; twice changes nothing.
  private int sweep() {
    return engine.sweeps().stream().mapToInt(sweep -> sweep.getAsInt()).sum();
  }

  /// A pending call that the daemon executes is work as well. One that waits for a slot is not, if
  /// those who have the slots are all asleep.
  private boolean isRest(QueueStatus.View view) {
    long asleep = time.asleep();
    long awake = view.atWork() + view.executed() - asleep;
    return asleep == slots.total()
        ? awake >= 0 && awake <= slots.use().waiting()
        : awake == 0 && view.ready() == 0;
  }

  private AssertionError restless(String why) {
    QueueStatus.View view = engine.outlook().look();
    List<Event> events = chronicle.events();
    var text = new StringBuilder("the team does not come to rest: ").append(why);
    text.append("\nmost mail: ").append(EventDescriptions.busiest(events));
    text.append("\nunder way: ").append(EventDescriptions.underWay(events));
    text.append(
        "\nready: %d, asleep: %d, next due: %s"
            .formatted(view.ready(), time.asleep(), view.next()));
    text.append("\nthe newest mail and turns:");
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
