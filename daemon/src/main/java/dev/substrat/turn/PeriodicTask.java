package dev.substrat.turn;

import dev.substrat.platform.log.Log;
import dev.substrat.protocol.Fault;
import dev.substrat.store.event.EventSignal;
import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;

/// Periodic task for work that becomes due by time: deadlines, reminders, plans.
///
/// Due work is found by queries, so a missed or repeated tick is harmless.
public final class PeriodicTask implements AutoCloseable {
  private static final Log LOG = Log.of(PeriodicTask.class);
  private static final Duration TICK = Duration.ofMillis(500);

  private final List<IntSupplier> sweeps;
  private final EventSignal agents;
  private final EventSignal stop = new EventSignal();
  private final Thread thread;
  private volatile boolean closing;

  /// Each sweep returns how much it did; then `agents` is signalled.
  public PeriodicTask(List<IntSupplier> sweeps, EventSignal agents) {
    this.sweeps = List.copyOf(sweeps);
    this.agents = agents;
    this.thread = Thread.ofVirtual().name("alarms").start(this::work);
  }

  private void work() {
    while (!closing) {
      sweeps.forEach(this::run);
      try {
        stop.awaitMoreThan(0, TICK);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void run(IntSupplier sweep) {
    try {
      if (sweep.getAsInt() > 0) {
        agents.notifyWaiters();
      }
    } catch (Fault e) {
      LOG.warn("a scheduled task failed", "code", e.code(), "reason", e.message());
    } catch (RuntimeException e) {
      LOG.error("a scheduled task failed unexpectedly", e);
    }
  }

  @Override
  public void close() {
    closing = true;
    stop.notifyWaiters();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
