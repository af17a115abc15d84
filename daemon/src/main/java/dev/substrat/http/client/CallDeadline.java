package dev.substrat.http.client;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Deadline of one request. When it has passed, the connection is closed, so that a server that
/// sends single bytes slowly cannot prolong the request.
///
/// Safe for many threads, guarded by its lock: the timeout runs on a separate thread, and a
/// response may be closed by another thread than its reader.
final class CallDeadline implements AutoCloseable {
  private final long at;
  private final Duration limit;
  private final Consumer<CallDeadline> whenOver;
  private @Nullable Future<?> alarm;
  private @Nullable SocketChannel channel;
  private DeadlineState end = DeadlineState.OPEN;

  /// Whether and how the call has ended.
  enum DeadlineState {
    OPEN,
    TIMED_OUT,
    CLOSED
  }

  CallDeadline(Duration limit, Consumer<CallDeadline> whenOver) {
    this.limit = limit;
    this.at = System.nanoTime() + limit.toNanos();
    this.whenOver = whenOver;
  }

  synchronized void setAlarm(ScheduledExecutorService clock) {
    alarm =
        clock.schedule(() -> end(DeadlineState.TIMED_OUT), limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  Duration limit() {
    return limit;
  }

  /// Zero or less after the deadline.
  long nanosLeft() {
    return at - System.nanoTime();
  }

  synchronized DeadlineState end() {
    return end;
  }

  /// Closes `next` at the deadline; immediately, if it has passed.
  synchronized void hold(SocketChannel next) {
    channel = next;
    if (end != DeadlineState.OPEN) {
      abort();
    }
  }

  /// Stops watching the channel. False if the deadline has passed and the channel is closed.
  synchronized boolean release() {
    channel = null;
    return end == DeadlineState.OPEN;
  }

  /// Removes the time limit: the call lasts until it is closed. False if the deadline has passed.
  synchronized boolean lift() {
    if (alarm != null) {
      alarm.cancel(false);
    }
    return end == DeadlineState.OPEN;
  }

  @Override
  public void close() {
    end(DeadlineState.CLOSED);
  }

  private synchronized void end(DeadlineState how) {
    if (end == DeadlineState.OPEN) {
      end = how;
      lift();
      abort();
      whenOver.accept(this);
    }
  }

  private void abort() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // It is closed either way.
    }
  }
}
