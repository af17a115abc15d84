package dev.substrat.mcp.client;

import java.time.Duration;

/// Deadline of a request to a remote server.
public record RemoteDeadline(long nanos) {
  public static RemoteDeadline in(Duration timeout) {
    return new RemoteDeadline(System.nanoTime() + timeout.toNanos());
  }

  /// Not negative.
  public Duration left() {
    return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
  }

  public boolean isOver() {
    return nanos - System.nanoTime() <= 0;
  }

  /// The earlier of this one and `patience` from now.
  public RemoteDeadline atMost(Duration timeout) {
    return left().compareTo(timeout) <= 0 ? this : in(timeout);
  }

  public RemoteFailure passed() {
    return RemoteFailure.because(
        RemoteFailure.FailureReason.TIMED_OUT, "the server did not answer in time");
  }
}
