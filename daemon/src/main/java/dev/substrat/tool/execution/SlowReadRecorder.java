package dev.substrat.tool.execution;

import dev.substrat.platform.log.Log;
import dev.substrat.platform.timer.TimeoutScheduler;
import java.time.Duration;

/// Records a read-only call that takes longer than 100 ms before it ends, so that people see what
/// the agent is doing. A faster call is recorded together with its result by its caller.
///
/// Used by two threads: the state changes under the lock.
final class SlowReadRecorder {
  private static final Log LOG = Log.of(SlowReadRecorder.class);

  private static final Duration SLOW = Duration.ofMillis(100);

  private final Runnable record;
  private final TimeoutScheduler watch;
  private boolean isOver;
  private boolean isOnRecord;

  private SlowReadRecorder(Runnable record) {
    this.record = record;
    this.watch = TimeoutScheduler.schedule(SLOW, "slow read", this::recordNow);
  }

  /// Starts the timer; `record` runs if [#end] was not called before it fires.
  static SlowReadRecorder begin(Runnable record) {
    return new SlowReadRecorder(record);
  }

  private synchronized void recordNow() {
    if (isOver) {
      return;
    }
    try {
      record.run();
      isOnRecord = true;
    } catch (RuntimeException e) {
      // The caller gets the error when it records the result.
      LOG.debug("slow call could not be recorded", "reason", e.getMessage());
    }
  }

  /// Ends the call. Returns whether the row of the call is already recorded.
  boolean end() {
    watch.cancel();
    synchronized (this) {
      isOver = true;
      return isOnRecord;
    }
  }
}
