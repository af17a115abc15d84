package dev.substrat.teamtest;

import dev.substrat.turn.TurnSleep;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// Clock that a test advances. Sleeping agents wake when it reaches their time.
///
/// Safe for many threads: time and sleepers are guarded by the object's lock. A sleeper is removed
/// by the thread that wakes it, so it is not counted as asleep while its own thread resumes.
final class ManualClock implements InstantSource, TurnSleep {
  private final List<SleepingThread> sleepers = new ArrayList<>();
  private Instant now;
  private boolean isOver;
  private volatile Runnable slept = () -> {};

  ManualClock(Instant start) {
    this.now = start;
  }

  /// Sets the action that runs when an agent starts to sleep.
  void whenSlept(Runnable what) {
    slept = what;
  }

  @Override
  public synchronized Instant instant() {
    return now;
  }

  @Override
  public void pause(Duration time) throws InterruptedException {
    if (!time.isPositive()) {
      return;
    }
    SleepingThread me = addSleeper(time);
    slept.run();
    while (!me.isAwake) {
      // The interrupt flag stays set until the sleeper is removed: an interrupted one is not
      // asleep.
      if (Thread.currentThread().isInterrupted()) {
        forget(me);
        throw interrupted();
      }
      LockSupport.park(this);
    }
    if (isOver()) {
      throw interrupted();
    }
  }

  private static InterruptedException interrupted() {
    var _ = Thread.interrupted();
    return new InterruptedException();
  }

  private synchronized SleepingThread addSleeper(Duration time) throws InterruptedException {
    if (isOver) {
      throw interrupted();
    }
    var sleeper = new SleepingThread(Thread.currentThread(), now.plus(time));
    sleepers.add(sleeper);
    return sleeper;
  }

  private synchronized void forget(SleepingThread sleeper) {
    sleepers.remove(sleeper);
  }

  private synchronized boolean isOver() {
    return isOver;
  }

  synchronized long asleep() {
    return sleepers.stream().filter(sleeper -> !sleeper.thread.isInterrupted()).count();
  }

  synchronized Optional<Instant> nextWaking() {
    return sleepers.stream().map(sleeper -> sleeper.until).min(Comparator.naturalOrder());
  }

  /// Advances the clock, never back, and wakes the sleepers that are due.
  synchronized void moveTo(Instant then) {
    if (then.isAfter(now)) {
      now = then;
    }
    List<SleepingThread> rested =
        sleepers.stream().filter(sleeper -> !sleeper.until.isAfter(now)).toList();
    sleepers.removeAll(rested);
    rested.forEach(SleepingThread::wake);
  }

  /// Stops the clock: all sleepers are interrupted, and later pauses fail at once.
  synchronized void end() {
    isOver = true;
    sleepers.forEach(SleepingThread::wake);
    sleepers.clear();
  }

  /// A sleeping thread; compared by identity.
  private static final class SleepingThread {
    private final Thread thread;
    private final Instant until;
    private volatile boolean isAwake;

    SleepingThread(Thread thread, Instant until) {
      this.thread = thread;
      this.until = until;
    }

    void wake() {
      isAwake = true;
      LockSupport.unpark(thread);
    }
  }
}
