package dev.substrat.store.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Reads an event log like a console does: reads new events, then waits for the signal.
final class EventTailer {
  private static final int PAGE = 7;

  private EventTailer() {}

  /// The events in the order they were seen, once there are `count`.
  static List<Event> read(EventLog log, int count, Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    var seen = new ArrayList<Event>();
    while (seen.size() < count) {
      long rings = log.signal().count();
      var page = log.after(seen.isEmpty() ? 0 : seen.getLast().seq(), Event.EventFilter.NONE, PAGE);
      seen.addAll(page);
      if (page.isEmpty()) {
        var left = Duration.ofNanos(end - System.nanoTime());
        assertThat(left).as("time left after %s of %s", seen.size(), count).isPositive();
        log.signal().awaitMoreThan(rings, left);
      }
    }
    return seen;
  }
}
