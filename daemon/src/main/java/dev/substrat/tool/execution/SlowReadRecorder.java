package dev.substrat.tool.execution;

import dev.substrat.platform.log.Log;
import dev.substrat.platform.timer.TimeoutScheduler;
import java.time.Duration;

/// Puts a call on record that only looks but takes its time, so that people see what an agent is
/// about. One that is over sooner is put on record together with its result, by whoever made it.
///
/// Safe for its two threads: what is true of the call changes under the lock.
final class SlowReadRecorder {
  private static final Log LOG = Log.of(SlowReadRecorder.class);

  /// Nobody who watches misses anything that is shorter.
  private static final Duration LONG = Duration.ofMillis(100);

  private final Runnable record;
  private final TimeoutScheduler watch;
  private boolean isOver;
  private boolean isOnRecord;

  private SlowReadRecorder(Runnable record) {
    this.record = record;
    this.watch = TimeoutScheduler.in(LONG, "long look", this::putOnRecord);
  }

  /// From now on it is under way; `record` is run if it is still so after a while.
  static SlowReadRecorder begin(Runnable record) {
    return new SlowReadRecorder(record);
  }

  private synchronized void putOnRecord() {
    if (isOver) {
      return;
    }
    try {
      record.run();
      isOnRecord = true;
    } catch (RuntimeException e) {
      // Whoever made the call is told when its result is to be kept.
      LOG.debug("a call that takes long could not be put on record", "reason", e.getMessage());
    }
  }

  /// It is over. True if it is on record already, and only its result is missing.
  boolean end() {
    watch.callOff();
    synchronized (this) {
      isOver = true;
      return isOnRecord;
    }
  }
}
