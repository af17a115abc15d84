package dev.substrat.turn;

import dev.substrat.platform.log.Log;
import dev.substrat.protocol.Fault;
import dev.substrat.store.event.EventSignal;
import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;

/// Periodic task for work that becomes due by time: deadlines, reminders, plans.
///
/// What is due is a query, so a tick that is missed or runs twice changes nothing.
public final class TimedWork implements AutoCloseable {
  private static final Log LOG = Log.of(TimedWork.class);
  private static final Duration TICK = Duration.ofMillis(500);

  private final List<IntSupplier> sweeps;
  private final EventSignal agents;
  private final EventSignal stop = new EventSignal();
  private final Thread thread;
  private volatile boolean closing;

  /// Each sweep says how much it did; `agents` rings when that was something.
  public TimedWork(List<IntSupplier> sweeps, EventSignal agents) {
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
