package dev.substrat.bridge;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Limit on requests in flight.
///
/// Limits bytes, not messages: 16 MB in total; each message counts as at least 1/256 of that. If
/// the limit is reached, the bridge stops reading from the client. Thread-safe.
final class InFlightLimit {
  private static final long CAPACITY = 2L * LineReader.LONGEST;
  private static final long LEAST = CAPACITY / 256;

  private final Map<String, RequestExchange> requests = new HashMap<>();
  private long used;

  /// Number of requests that shutdown waits for.
  private int awaited;

  /// Waits until the message fits into the limit.
  synchronized void acquire(int bytes) throws InterruptedException {
    while (used + cost(bytes) > CAPACITY) {
      wait();
    }
    used += cost(bytes);
    awaited++;
  }

  synchronized void release(int bytes) {
    used -= cost(bytes);
    awaited--;
    notifyAll();
  }

  /// Marks a long-lived subscription, which shutdown does not wait for.
  synchronized void markSubscription() {
    awaited--;
    notifyAll();
  }

  /// Reverts the mark, before the request ends.
  synchronized void unmarkSubscription() {
    awaited++;
  }

  private static long cost(int bytes) {
    return Math.max(LEAST, bytes);
  }

  /// False if a request with this id is already in flight.
  synchronized boolean add(String id, RequestExchange exchange) {
    return requests.putIfAbsent(id, exchange) == null;
  }

  synchronized void remove(String id) {
    requests.remove(id);
  }

  synchronized Optional<RequestExchange> find(String id) {
    return Optional.ofNullable(requests.get(id));
  }

  /// Waits until no request is in flight, except subscriptions, or until the timeout.
  synchronized void awaitIdle(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    for (long left = patience.toMillis(); awaited > 0 && left > 0; ) {
      wait(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
  }
}
