package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.timer.TimeoutScheduler;
import dev.substrat.tool.ProgressSink;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Limits how often one call reports its intermediate results, with a token bucket: [#BURST] at
/// once, then [#PER_SECOND]. Each report is a commit and an event for every client, and a service
/// may send hundreds of thousands of lines in one response.
///
/// A report over the rate is skipped, but the newest skipped one is kept and reported as soon as
/// the rate allows, or when the call is over. So the last report is always the latest status, and
/// no more than one is held in memory.
///
/// Safe for its two threads, the one that executes the call and the one of the timer: reports are
/// made under the lock, and therefore in order.
final class RateLimitedProgress implements ProgressSink, AutoCloseable {
  static final int BURST = 100;
  static final int PER_SECOND = 50;

  private static final double NANOS_PER_TOKEN = 1e9 / PER_SECOND;
  private static final Duration RETRY = Duration.ofMillis(1_000 / PER_SECOND);

  private final ProgressSink target;
  private final LongSupplier nanoTime;
  private double tokens = BURST;
  private long refilledAt;
  private @Nullable ObjectNode skipped;
  private @Nullable TimeoutScheduler timer;

  /// A `target` that fails gets no more reports; the call goes on.
  RateLimitedProgress(ProgressSink target, LongSupplier nanoTime) {
    this.target = target.untilItFails();
    this.nanoTime = nanoTime;
    this.refilledAt = nanoTime.getAsLong();
  }

  @Override
  public synchronized void report(ObjectNode status) {
    if (takeToken()) {
      skipped = null;
      target.report(status);
    } else {
      skipped = status;
      if (timer == null) {
        timer = TimeoutScheduler.schedule(RETRY, "tool-progress", this::retry);
      }
    }
  }

  private boolean takeToken() {
    long now = nanoTime.getAsLong();
    tokens = Math.min(BURST, tokens + (now - refilledAt) / NANOS_PER_TOKEN);
    refilledAt = now;
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }

  /// A status that was reported meanwhile is newer than the skipped ones.
  private synchronized void retry() {
    timer = null;
    if (skipped != null) {
      report(skipped);
    }
  }

  /// The call is over: reports the newest skipped status.
  @Override
  public synchronized void close() {
    if (timer != null) {
      timer.cancel();
    }
    if (skipped != null) {
      target.report(skipped);
      skipped = null;
    }
  }
}
