package dev.substrat.simulation;

import dev.substrat.platform.identity.AgentId;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Somebody who acts in a simulation: a turn, a request, a sweep.
///
/// Each has a thread of its own, and only the one that has the baton runs. It gives the baton back
/// wherever another one could come between: before and after every transaction, before every read,
/// while it sleeps. Who goes on is the scheduler's choice, so one sequence of choices is one exact
/// history. The semaphores hand over memory as well as the baton.
final class Actor {
  private static final ThreadLocal<@Nullable Actor> CURRENT = new ThreadLocal<>();

  private final String name;
  private final Node node;
  private final @Nullable AgentId agent;
  private final Thread thread;
  private final Semaphore back = new Semaphore(0);
  private volatile boolean mayGo;

  /// An interrupt that came while it waited for the baton; it must not be lost, and the scheduler
  /// must know of it at once.
  private volatile boolean interrupted;

  private boolean started;
  private boolean done;
  private @Nullable Throwable failure;
  private long asleepUntil;
  private String where = "at its beginning";

  /// The turn it works on, once it has claimed one.
  long turn;

  Actor(String name, Node node, @Nullable AgentId agent, Runnable work) {
    this.name = name;
    this.node = node;
    this.agent = agent;
    this.thread = Thread.ofVirtual().unstarted(() -> act(work));
  }

  /// Whoever runs on this thread; null for the scheduler itself.
  static @Nullable Actor current() {
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

  /// Lets it go on until it gives the baton back. Only the scheduler calls this.
  void resume() {
    if (!started) {
      started = true;
      thread.start();
    }
    mayGo = true;
    LockSupport.unpark(thread);
    back.acquireUninterruptibly();
  }

  /// Gives the baton back, and goes on when it gets it again, unless its daemon has died meanwhile.
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
        // In this order, so that there is no moment in which neither of them says so.
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

  Node node() {
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

  /// What a thread of a dead daemon gets instead of an answer. An error, so that nothing in the
  /// engine takes it for a failure it could deal with.
  static final class Killed extends Error {
    Killed() {
      super("its daemon has died", null, false, false);
    }
  }
}
