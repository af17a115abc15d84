package dev.substrat.platform.timer;

import dev.substrat.platform.log.Log;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/// Scheduler for delayed tasks that are usually cancelled, such as timeouts. Scheduling and
/// cancelling wake no thread, because a timer or a thread per task would cost more than the call it
/// watches.
///
/// Safe for many threads. One thread of its own checks periodically, and sleeps while there is
/// nothing to wait for.
public final class TimeoutScheduler {
  private static final Log LOG = Log.of(TimeoutScheduler.class);

  /// Maximum delay of a timeout.
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(20);

  /// Not immediately, so that a series of calls does not wake the thread each time.
  private static final int CHECKS_BEFORE_IDLE = 100;

  private static final Set<TimeoutScheduler> WAITING = ConcurrentHashMap.newKeySet();
  private static final Thread LOOKOUT =
      Thread.ofVirtual().name("lookout").start(TimeoutScheduler::run);

  private static volatile boolean resting;

  private final String name;
  private final long due;
  private final Runnable work;

  private TimeoutScheduler(String name, long due, Runnable work) {
    this.name = name;
    this.due = due;
    this.work = work;
  }

  /// Does `work` after `time`, on a thread of its own that has this name.
  public static TimeoutScheduler schedule(Duration time, String name, Runnable work) {
    var later = new TimeoutScheduler(name, System.nanoTime() + time.toNanos(), work);
    WAITING.add(later);
    if (resting) {
      LockSupport.unpark(LOOKOUT);
    }
    return later;
  }

  /// Cancels the task, unless it has started.
  public void cancel() {
    WAITING.remove(this);
  }

  private static void run() {
    for (int idle = 0; ; idle = WAITING.isEmpty() ? idle + 1 : 0) {
      if (idle > CHECKS_BEFORE_IDLE) {
        rest();
        idle = 0;
      }
      LockSupport.parkNanos(CHECK_INTERVAL.toNanos());
      begin(System.nanoTime());
    }
  }

  /// A failing task does not affect the others.
  private static void begin(long now) {
    try {
      WAITING.forEach(one -> one.beginIfDue(now));
    } catch (RuntimeException | Error e) {
      LOG.error("cannot start a scheduled task", e);
    }
  }

  private void beginIfDue(long now) {
    if (now - due >= 0 && WAITING.remove(this)) {
      Thread.ofVirtual().name(name).start(work);
    }
  }

  /// A task added after the last check finds the thread parked and wakes it.
  private static void rest() {
    resting = true;
    if (WAITING.isEmpty()) {
      LockSupport.park();
    }
    resting = false;
  }
}
