package dev.substrat.http.client;

import dev.substrat.http.address.TargetUrl;
import dev.substrat.http.client.OutgoingConnection.ConnectionOrigin;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Pool of idle connections, keyed by origin and address.
///
/// A connection is reused only by a request that was just checked for exactly that address, so
/// reuse makes no additional address reachable.
///
/// Safe for many threads, guarded by its lock.
final class ConnectionPool implements AutoCloseable {
  /// Shorter than the idle timeout of servers (five seconds are the shortest common default), so
  /// that a request rarely uses a connection that is being closed.
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(4);

  private static final int MAX_PER_ORIGIN = 16;
  private static final int MAX_COUNT = 256;

  private final ScheduledExecutorService clock;
  private final Map<ConnectionOrigin, Deque<OutgoingConnection>> resting = new HashMap<>();
  private int count;
  private @Nullable Future<?> nextSweep;
  private boolean isClosed;

  ConnectionPool(ScheduledExecutorService clock) {
    this.clock = clock;
  }

  /// A usable connection to the target at one of `addresses`.
  Optional<OutgoingConnection> take(TargetUrl target, List<InetAddress> addresses) {
    for (InetAddress address : addresses) {
      ConnectionOrigin origin = ConnectionOrigin.of(target, address);
      for (var found = next(origin); found.isPresent(); found = next(origin)) {
        if (!found.get().hasRested(REST_NANOS) && found.get().isFresh()) {
          return found;
        }
        found.get().close();
      }
    }
    return Optional.empty();
  }

  /// The most recently used connection: it is most likely still open.
  private synchronized Optional<OutgoingConnection> next(ConnectionOrigin origin) {
    Deque<OutgoingConnection> waiting = resting.get(origin);
    if (waiting == null) {
      return Optional.empty();
    }
    OutgoingConnection last = waiting.removeLast();
    count--;
    if (waiting.isEmpty()) {
      resting.remove(origin);
    }
    return Optional.of(last);
  }

  synchronized void keep(OutgoingConnection connection) {
    Deque<OutgoingConnection> waiting =
        resting.getOrDefault(connection.origin(), new ArrayDeque<>());
    if (isClosed || count >= MAX_COUNT || waiting.size() >= MAX_PER_ORIGIN) {
      connection.close();
      return;
    }
    waiting.addLast(connection.rested());
    resting.put(connection.origin(), waiting);
    count++;
    if (nextSweep == null) {
      nextSweep = clock.schedule(this::sweep, REST_NANOS, TimeUnit.NANOSECONDS);
    }
  }

  private synchronized void sweep() {
    for (Deque<OutgoingConnection> waiting : resting.values()) {
      while (!waiting.isEmpty() && waiting.getFirst().hasRested(REST_NANOS)) {
        waiting.removeFirst().close();
        count--;
      }
    }
    resting.values().removeIf(Deque::isEmpty);
    nextSweep = count == 0 ? null : clock.schedule(this::sweep, 1, TimeUnit.SECONDS);
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    resting.values().forEach(waiting -> waiting.forEach(OutgoingConnection::close));
    resting.clear();
    count = 0;
  }
}
