package dev.substrat.mcp.server;

import dev.substrat.http.server.HttpExchange;
import dev.substrat.platform.log.Log;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Checks periodically whether a client may keep its open stream. Used by the thread that writes
/// the stream.
final class StreamAccessCheck {
  static final Duration EVERY = Duration.ofSeconds(3);

  private static final Log LOG = Log.of(StreamAccessCheck.class);

  private final BooleanSupplier check;
  private final LongSupplier nanos;
  private long next;

  StreamAccessCheck(HttpExchange exchange) {
    this(exchange::isStillAdmitted, System::nanoTime);
  }

  StreamAccessCheck(BooleanSupplier check, LongSupplier nanos) {
    this.check = check;
    this.nanos = nanos;
    this.next = nanos.getAsLong() + EVERY.toNanos();
  }

  boolean holds() {
    long now = nanos.getAsLong();
    if (now - next < 0) {
      return true;
    }
    try {
      boolean holds = check.getAsBoolean();
      next = now + EVERY.toNanos();
      return holds;
    } catch (RuntimeException e) {
      // A temporary database failure revokes nothing; the next check tries again.
      LOG.debug("cannot check the token of a stream", "reason", e.getMessage());
      return true;
    }
  }
}
