package dev.substrat.simulation;

import dev.substrat.platform.identity.AgentId;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A thread in a simulation: a turn, a request, a sweep.
///
/// Only the thread that has the baton runs. It returns the baton wherever another thread could
/// interleave: before and after every transaction, before every read, while it sleeps. The
/// scheduler chooses the next thread, so one sequence of choices is one exact history. The
/// semaphores transfer memory visibility with the baton.
final class SimulatedThread {
  private static final ThreadLocal<@Nullable SimulatedThread> CURRENT = new ThreadLocal<>();

  private final String name;
  private final SimulatedDaemon node;
  private final @Nullable AgentId agent;
  private final Thread thread;
  private final Semaphore back = new Semaphore(0);
  private volatile boolean mayGo;

  /// An interrupt that arrived while it waited for the baton; it must not be lost, and the
  /// scheduler must see it immediately.
  private volatile boolean interrupted;

  private boolean started;
  private boolean done;
  private @Nullable Throwable failure;
  private long asleepUntil;
  private String where = "at its beginning";

  /// The turn it works on, once it has claimed one.
  long turn;

  SimulatedThread(String name, SimulatedDaemon node, @Nullable AgentId agent, Runnable work) {
    this.name = name;
    this.node = node;
    this.agent = agent;
    this.thread = Thread.ofVirtual().unstarted(() -> act(work));
  }

  /// The simulated thread of the current Java thread; null for the scheduler itself.
  static @Nullable SimulatedThread current() {
    return CURRENT.get();
  }

  private void act(Runnable work) {
    awaitBaton();
    CURRENT.set(this);
    try {
      requireAlive();
      work.run();
    } catch (Throwable e) {
      failure = e;
    } finally {
      done = true;
      back.release();
    }
  }

  /// Lets it run until it returns the baton. Only the scheduler calls this.
  void resume() {
    if (!started) {
      started = true;
      thread.start();
    }
    mayGo = true;
    LockSupport.unpark(thread);
    back.acquireUninterruptibly();
  }

  /// Returns the baton and continues when it gets it again, unless its daemon died meanwhile.
  void pauseAt(String place) {
    where = place;
    back.release();
    awaitBaton();
    requireAlive();
  }

  private void awaitBaton() {
    while (!mayGo) {
      LockSupport.park(this);
      if (Thread.currentThread().isInterrupted()) {
        // In this order, so that at every moment one of them is set.
        interrupted = true;
        Thread.interrupted();
      }
    }
    mayGo = false;
    if (interrupted) {
      Thread.currentThread().interrupt();
      interrupted = false;
    }
  }

  void sleepUntil(long time) throws InterruptedException {
    asleepUntil = time;
    pauseAt("asleep");
    asleepUntil = 0;
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  private void requireAlive() {
    if (!node.isAlive()) {
      throw new Killed();
    }
  }

  boolean isRunnable(long now) {
    return !done && (asleepUntil <= now || interrupted || thread.isInterrupted());
  }

  boolean isDone() {
    return done;
  }

  boolean wasKilled() {
    return failure instanceof Killed;
  }

  @Nullable Throwable failure() {
    return failure;
  }

  long asleepUntil() {
    return asleepUntil;
  }

  void interrupt() {
    thread.interrupt();
  }

  SimulatedDaemon node() {
    return node;
  }

  @Nullable AgentId agent() {
    return agent;
  }

  String where() {
    return where;
  }

  @Override
  public String toString() {
    return name;
  }

  /// Thrown in threads of a dead daemon. An error, so that the engine does not handle it as a
  /// failure.
  static final class Killed extends Error {
    Killed() {
      super("its daemon has died", null, false, false);
    }
  }
}
