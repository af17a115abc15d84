package dev.substrat.store.event;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Signal that something was committed. It carries no data, so a missed signal loses nothing if the
/// waiter reads before it waits.
///
/// Safe for many threads. The counter lets a waiter notice a signal between its read and its wait.
public final class EventSignal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition rung = lock.newCondition();
  private long count;

  public void notifyWaiters() {
    lock.lock();
    try {
      count++;
      rung.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Number of signals so far; read it before reading the data.
  public long count() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  /// Waits until it has rung more often than `seen`, at most for `limit`.
  public void awaitMoreThan(long seen, Duration limit) throws InterruptedException {
    long left = limit.toNanos();
    lock.lock();
    try {
      while (count <= seen && left > 0) {
        left = rung.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
