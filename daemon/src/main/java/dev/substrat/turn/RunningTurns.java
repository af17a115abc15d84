package dev.substrat.turn;

import dev.substrat.id.AgentId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The turns under way in this process, so that they can be ended from outside.
///
/// Only a convenience for the slot: what a turn may still write is decided by its lease, in the
/// database. Safe for many threads.
public final class RunningTurns {
  private final Map<AgentId, Running> running = new ConcurrentHashMap<>();
  private final InstantSource clock;

  public RunningTurns(InstantSource clock) {
    this.clock = clock;
  }

  /// The calling thread works for `agent` from now on, at most until `limit`.
  void begin(AgentId agent, Instant limit) {
    running.put(agent, new Running(Thread.currentThread(), limit));
  }

  void end(AgentId agent) {
    running.remove(agent);
  }

  /// Why the agent's turn was told to stop, if it was.
  Optional<String> reason(AgentId agent) {
    Running one = running.get(agent);
    return one == null ? Optional.empty() : Optional.ofNullable(one.reason);
  }

  /// Ends the agent's turn, if it has one here; the first reason counts.
  public void interrupt(AgentId agent, String reason) {
    Running one = running.get(agent);
    if (one != null && one.reason == null) {
      one.reason = reason;
      one.thread.interrupt();
    }
  }

  /// Ends turns that have taken too long; returns how many.
  public int interruptOverdue() {
    Instant now = clock.instant();
    var overdue =
        running.entrySet().stream()
            .filter(entry -> entry.getValue().reason == null)
            .filter(entry -> now.isAfter(entry.getValue().limit))
            .map(Map.Entry::getKey)
            .toList();
    overdue.forEach(agent -> interrupt(agent, "the turn took too long"));
    return overdue.size();
  }

  private static final class Running {
    private final Thread thread;
    private final Instant limit;
    private volatile @Nullable String reason;

    Running(Thread thread, Instant limit) {
      this.thread = thread;
      this.limit = limit;
    }
  }
}
