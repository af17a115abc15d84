package dev.substrat.mcp.client;

import java.time.Duration;

/// Deadline of a request to a remote server.
public record RemoteDeadline(long nanos) {
  public static RemoteDeadline in(Duration patience) {
    return new RemoteDeadline(System.nanoTime() + patience.toNanos());
  }

  /// Not negative.
  public Duration left() {
    return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
  }

  public boolean isOver() {
    return nanos - System.nanoTime() <= 0;
  }

  /// The earlier of this one and `patience` from now.
  public RemoteDeadline atMost(Duration patience) {
    return left().compareTo(patience) <= 0 ? this : in(patience);
  }

  public RemoteFailure passed() {
    return RemoteFailure.because(
        RemoteFailure.FailureReason.TIMED_OUT, "the server did not answer in time");
  }
}
