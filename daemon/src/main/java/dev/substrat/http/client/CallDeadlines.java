package dev.substrat.http.client;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;

/// Deadlines of all running requests. Closing it ends these requests and all later ones.
///
/// Safe for many threads.
final class CallDeadlines implements AutoCloseable {
  private final ScheduledExecutorService clock;
  private final Set<CallDeadline> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  CallDeadlines(ScheduledExecutorService clock) {
    this.clock = clock;
  }

  CallDeadline within(Duration limit) {
    var deadline = new CallDeadline(limit, open::remove);
    open.add(deadline);
    try {
      deadline.setAlarm(clock);
    } catch (RejectedExecutionException e) {
      deadline.close();
    }
    if (isClosed) {
      deadline.close();
    }
    return deadline;
  }

  @Override
  public void close() {
    isClosed = true;
    open.forEach(CallDeadline::close);
  }
}
