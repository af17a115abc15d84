package dev.substrat.store.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Reads a log as a console does: look, then wait for the bell, never ask again for what it has.
final class Tailer {
  private static final int PAGE = 7;

  private Tailer() {}

  /// The events in the order they were seen, once there are `count`.
  static List<Event> read(EventLog log, int count, Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    var seen = new ArrayList<Event>();
    while (seen.size() < count) {
      long rings = log.signal().count();
      var page = log.after(seen.isEmpty() ? 0 : seen.getLast().seq(), Event.Filter.NONE, PAGE);
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
