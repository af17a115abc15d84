package dev.substrat.mcp;

import dev.substrat.http.Exchange;
import java.time.Duration;

/// Looks from time to time whether a client with an open stream may still have it. Belongs to the
/// thread that writes the stream.
final class Admission {
  private static final Duration EVERY = Duration.ofSeconds(3);

  private final Exchange exchange;
  private long next = System.nanoTime() + EVERY.toNanos();

  Admission(Exchange exchange) {
    this.exchange = exchange;
  }

  boolean holds() {
    long now = System.nanoTime();
    if (now - next < 0) {
      return true;
    }
    next = now + EVERY.toNanos();
    return exchange.isStillAdmitted();
  }
}
