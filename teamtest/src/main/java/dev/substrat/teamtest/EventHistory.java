package dev.substrat.teamtest;

import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventLog;
import java.util.ArrayList;
import java.util.List;

/// All events of the team so far, read from the daemon's event log.
///
/// Safe for many threads: the list is guarded by the object's lock.
final class EventHistory {
  private static final int PAGE = 1_000;

  private final EventLog log;
  private final List<Event> events = new ArrayList<>();
  private long turns;

  EventHistory(EventLog log) {
    this.log = log;
  }

  synchronized List<Event> events() {
    readOn();
    return List.copyOf(events);
  }

  synchronized List<Event> ofKind(String kind) {
    readOn();
    return events.stream().filter(event -> event.kind().equals(kind)).toList();
  }

  /// Number of turns that have started.
  synchronized long turns() {
    readOn();
    return turns;
  }

  private void readOn() {
    List<Event> more;
    do {
      long last = events.isEmpty() ? 0 : events.getLast().seq();
      more = log.after(last, Event.EventFilter.NONE, PAGE);
      events.addAll(more);
      turns += more.stream().filter(event -> event.kind().equals("turn_started")).count();
    } while (more.size() == PAGE);
  }
}
