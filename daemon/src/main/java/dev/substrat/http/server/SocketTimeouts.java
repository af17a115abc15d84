package dev.substrat.http.server;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Timeouts for socket operations that a stuck client would block forever.
///
/// Interrupting a thread that blocks on a channel closes the channel, so the operation fails. One
/// thread watches all deadlines; a deadline costs nothing until it is missed.
final class SocketTimeouts implements AutoCloseable {
  private static final Duration CHECK_EVERY = Duration.ofMillis(500);

  private final Set<SocketDeadline> open = ConcurrentHashMap.newKeySet();
  private final Thread thread = Thread.ofVirtual().name("deadlines").start(this::watch);

  /// Interrupts the calling thread if the returned deadline is not closed within `limit`.
  SocketDeadline within(Duration limit) {
    var deadline = new SocketDeadline(Thread.currentThread(), System.nanoTime() + limit.toNanos());
    open.add(deadline);
    return deadline;
  }

  int count() {
    return open.size();
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(CHECK_EVERY);
        long now = System.nanoTime();
        open.forEach(deadline -> deadline.check(now));
      }
    } catch (InterruptedException e) {
      // Closing.
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  /// Deadline of one operation.
  final class SocketDeadline implements AutoCloseable {
    private final Thread operator;
    private final long at;
    private boolean over;
    private boolean missed;

    private SocketDeadline(Thread operator, long at) {
      this.operator = operator;
      this.at = at;
    }

    private synchronized void check(long now) {
      if (!over && !missed && now - at > 0) {
        missed = true;
        open.remove(this);
        operator.interrupt();
      }
    }

    synchronized boolean wasMissed() {
      return missed;
    }

    /// After this no interrupt is sent; one that was sent too late is cleared.
    @Override
    public void close() {
      open.remove(this);
      synchronized (this) {
        over = true;
        if (missed) {
          Thread.interrupted();
        }
      }
    }
  }
}
