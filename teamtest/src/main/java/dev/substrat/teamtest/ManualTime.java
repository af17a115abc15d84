package dev.substrat.teamtest;

import dev.substrat.turn.TurnPause;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// Time that stands still until it is moved. An agent that wants to wait sleeps here, and wakes
/// when time gets there.
///
/// Safe for many threads: time and sleepers are guarded by the object's lock. A sleeper is struck
/// off by whoever wakes it, so that nobody counts it as asleep while its thread gets going.
final class ManualTime implements InstantSource, TurnPause {
  private final List<Sleeper> sleepers = new ArrayList<>();
  private Instant now;
  private boolean isOver;
  private volatile Runnable slept = () -> {};

  ManualTime(Instant start) {
    this.now = start;
  }

  /// What to do when somebody has gone to sleep.
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
    Sleeper me = lieDown(time);
    slept.run();
    while (!me.isAwake) {
      // The flag stays up until the sleeper is struck off: an interrupted one is not asleep.
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

  private synchronized Sleeper lieDown(Duration time) throws InterruptedException {
    if (isOver) {
      throw interrupted();
    }
    var sleeper = new Sleeper(Thread.currentThread(), now.plus(time));
    sleepers.add(sleeper);
    return sleeper;
  }

  private synchronized void forget(Sleeper sleeper) {
    sleepers.remove(sleeper);
  }

  private synchronized boolean isOver() {
    return isOver;
  }

  synchronized long asleep() {
    return sleepers.stream().filter(one -> !one.thread.isInterrupted()).count();
  }

  synchronized Optional<Instant> nextWaking() {
    return sleepers.stream().map(one -> one.until).min(Comparator.naturalOrder());
  }

  /// Moves time on and wakes whoever has slept long enough; never back.
  synchronized void moveTo(Instant then) {
    if (then.isAfter(now)) {
      now = then;
    }
    List<Sleeper> rested = sleepers.stream().filter(one -> !one.until.isAfter(now)).toList();
    sleepers.removeAll(rested);
    rested.forEach(Sleeper::wake);
  }

  /// Time is over: whoever sleeps is interrupted, and nobody falls asleep any more.
  synchronized void end() {
    isOver = true;
    sleepers.forEach(Sleeper::wake);
    sleepers.clear();
  }

  /// Somebody asleep; compared by identity.
  private static final class Sleeper {
    private final Thread thread;
    private final Instant until;
    private volatile boolean isAwake;

    Sleeper(Thread thread, Instant until) {
      this.thread = thread;
      this.until = until;
    }

    void wake() {
      isAwake = true;
      LockSupport.unpark(thread);
    }
  }
}
