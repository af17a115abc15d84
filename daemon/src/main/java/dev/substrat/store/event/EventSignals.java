package dev.substrat.store.event;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// Signals of the event log: one for all events, and one for each listener that wants only some
/// kinds. Most events are tool calls, which most listeners do not need.
///
/// Safe for many threads.
final class EventSignals {
  private final EventSignal everything;
  private final List<FilteredSignal> choosy = new CopyOnWriteArrayList<>();

  /// One object per kind, so that a batch of many transactions signals once.
  private final Map<String, Runnable> byKind = new ConcurrentHashMap<>();

  private record FilteredSignal(Set<String> kinds, EventSignal signal) {}

  EventSignals(EventSignal everything) {
    this.everything = everything;
  }

  EventSignal of(Set<String> kinds) {
    var signal = new EventSignal();
    choosy.add(new FilteredSignal(Set.copyOf(kinds), signal));
    return signal;
  }

  /// After-commit action of a transaction with an event of this kind.
  Runnable ringing(String kind) {
    return byKind.computeIfAbsent(kind, _ -> () -> ring(kind));
  }

  private void ring(String kind) {
    everything.notifyWaiters();
    for (FilteredSignal one : choosy) {
      if (one.kinds().contains(kind)) {
        one.signal().notifyWaiters();
      }
    }
  }

  /// For events whose kinds are not known here.
  void ringAll() {
    everything.notifyWaiters();
    choosy.forEach(one -> one.signal().notifyWaiters());
  }
}
