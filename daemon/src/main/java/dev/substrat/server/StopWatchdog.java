package dev.substrat.server;

import dev.substrat.platform.log.Log;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// Ends the process at once if it gets a second stop signal, or if a graceful stop takes too long.
/// What is cut short is recovered by the next start, like after a kill.
///
/// The JVM stops at the first SIGTERM or SIGINT and ignores later ones, and there is no supported
/// interface to handle signals. But it starts a thread named after each signal, which lives until
/// the process ends: two of them are two signals.
///
/// Safe for many threads.
final class StopWatchdog {
  private static final Log LOG = Log.of(StopWatchdog.class);

  /// Time for everything but turns: pending calls, open requests, the database.
  private static final Duration REST = Duration.ofSeconds(60);

  private static final Duration EVERY = Duration.ofMillis(100);
  private static final List<String> HANDLERS = List.of("SIGTERM handler", "SIGINT handler");

  /// Exit code of a process that SIGTERM ended.
  private static final int TERMINATED = 128 + 15;

  private final Duration limit;
  private final AtomicBoolean isStarted = new AtomicBoolean();

  /// `stopGrace` is the time for running turns.
  StopWatchdog(Duration stopGrace) {
    this.limit = stopGrace.plus(REST);
  }

  /// Watches from now on: the daemon is stopping.
  void start() {
    if (!isStarted.getAndSet(true)) {
      Thread.ofPlatform().daemon().name("stop-watchdog").start(this::watch);
    }
  }

  private void watch() {
    long end = System.nanoTime() + limit.toNanos();
    try {
      while (signals() < 2 && System.nanoTime() - end < 0) {
        Thread.sleep(EVERY);
      }
    } catch (InterruptedException e) {
      // Nothing interrupts it; then it does not watch.
      Thread.currentThread().interrupt();
      return;
    }
    LOG.warn(
        signals() < 2
            ? "the stop took too long: the daemon ends at once"
            : "second stop signal: the daemon ends at once");
    Runtime.getRuntime().halt(TERMINATED);
  }

  private static long signals() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> HANDLERS.contains(thread.getName()))
        .count();
  }
}
