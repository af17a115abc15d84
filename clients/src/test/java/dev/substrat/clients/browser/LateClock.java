package dev.substrat.clients.browser;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// Time that is behind and catches up when it is told to, so that an hour can be over in seconds.
/// Safe for many threads.
final class LateClock implements InstantSource {
  private volatile Duration behind;

  LateClock(Duration behind) {
    this.behind = behind;
  }

  /// From one thread only.
  void pass(Duration time) {
    behind = behind.minus(time).isNegative() ? Duration.ZERO : behind.minus(time);
  }

  void catchUp() {
    behind = Duration.ZERO;
  }

  @Override
  public Instant instant() {
    return Instant.now().minus(behind);
  }
}
