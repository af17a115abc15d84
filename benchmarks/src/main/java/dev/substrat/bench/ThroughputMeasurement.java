package dev.substrat.bench;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/// Number of operations per second.
public final class ThroughputMeasurement {
  /// One operation, by caller number `who`.
  @FunctionalInterface
  public interface MeasuredOperation {
    void run(int who) throws Exception;
  }

  private ThroughputMeasurement() {}

  /// Lets `callers` virtual threads repeat `action` for `time`.
  public static double of(int callers, Duration time, MeasuredOperation action) {
    var done = new LongAdder();
    long start = System.nanoTime();
    long end = start + time.toNanos();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int caller = 0; caller < callers; caller++) {
        int who = caller;
        threads.execute(() -> repeat(action, who, end, done));
      }
    }
    return done.sum() / ((System.nanoTime() - start) / 1e9);
  }

  private static void repeat(MeasuredOperation action, int who, long end, LongAdder done) {
    try {
      while (System.nanoTime() < end) {
        action.run(who);
        done.increment();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
