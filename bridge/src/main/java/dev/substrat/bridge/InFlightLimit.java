package dev.substrat.bridge;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What is under way, and how much more may be.
///
/// Bounded by bytes, because messages differ: sixteen megabytes in all, each message counting for
/// at least a 256th of that. Who reads the client waits when it is full, and with it the client.
/// Safe for many threads.
final class InFlightLimit {
  private static final long CAPACITY = 2L * LineReader.LONGEST;
  private static final long LEAST = CAPACITY / 256;

  private final Map<String, RequestExchange> requests = new HashMap<>();
  private long used;

  /// How many a farewell waits for.
  private int awaited;

  /// Waits for room.
  synchronized void enter(int bytes) throws InterruptedException {
    while (used + cost(bytes) > CAPACITY) {
      wait();
    }
    used += cost(bytes);
    awaited++;
  }

  synchronized void leave(int bytes) {
    used -= cost(bytes);
    awaited--;
    notifyAll();
  }

  /// It lasts for as long as the client wants it; nobody waits for its end.
  synchronized void lasts() {
    awaited--;
    notifyAll();
  }

  /// The reverse, before it leaves.
  synchronized void ends() {
    awaited++;
  }

  private static long cost(int bytes) {
    return Math.max(LEAST, bytes);
  }

  /// False if a request with this id is under way already.
  synchronized boolean add(String id, RequestExchange exchange) {
    return requests.putIfAbsent(id, exchange) == null;
  }

  synchronized void remove(String id) {
    requests.remove(id);
  }

  synchronized Optional<RequestExchange> find(String id) {
    return Optional.ofNullable(requests.get(id));
  }

  /// Waits until nothing is under way that has an end, but not longer than that.
  synchronized void awaitQuiet(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    for (long left = patience.toMillis(); awaited > 0 && left > 0; ) {
      wait(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
  }
}
