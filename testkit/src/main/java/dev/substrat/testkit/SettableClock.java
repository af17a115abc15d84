package dev.substrat.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/// Clock that a test sets. Safe for many threads.
public final class SettableClock implements InstantSource {
  private final AtomicReference<Instant> now;

  public SettableClock(Instant start) {
    this.now = new AtomicReference<>(start);
  }

  public void pass(Duration time) {
    now.updateAndGet(before -> before.plus(time));
  }

  @Override
  public Instant instant() {
    return now.get();
  }
}
