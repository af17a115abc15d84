package dev.substrat.clients.browser;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// Clock that starts in the past and is advanced to the present, so that an hour takes seconds.
/// Safe for many threads.
final class CatchUpClock implements InstantSource {
  private volatile Duration behind;

  CatchUpClock(Duration behind) {
    this.behind = behind;
  }

  /// For one thread only.
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
