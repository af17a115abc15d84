package dev.substrat.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Waits for a condition that other threads or processes establish, up to a timeout.
public final class Await {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private Await() {}

  public static void until(BooleanSupplier condition) {
    until(condition, () -> "the condition was not met within " + TIMEOUT);
  }

  /// `state` describes the current state for the failure message.
  public static void until(BooleanSupplier condition, Supplier<String> state) {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError(state.get());
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
