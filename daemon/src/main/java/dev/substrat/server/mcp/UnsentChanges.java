package dev.substrat.server.mcp;

import dev.substrat.mcp.spi.ChangeWatch;
import dev.substrat.mcp.spi.ListChange;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Changes that one open stream has not sent yet. Repeated changes are merged, so the size is
/// bounded.
///
/// One thread adds, another takes.
final class UnsentChanges implements ChangeWatch {
  private final ChangeFeed feed;
  private final String agent;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition added = lock.newCondition();
  private Set<ListChange> changes = new LinkedHashSet<>();

  UnsentChanges(ChangeFeed feed, String agent) {
    this.feed = feed;
    this.agent = agent;
  }

  String agent() {
    return agent;
  }

  void add(ListChange change) {
    lock.lock();
    try {
      changes.add(change);
      added.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Set<ListChange> next(Duration longest) throws InterruptedException {
    long left = longest.toNanos();
    lock.lock();
    try {
      while (changes.isEmpty() && left > 0) {
        left = added.awaitNanos(left);
      }
      Set<ListChange> taken = changes;
      changes = new LinkedHashSet<>();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    feed.forget(this);
  }
}
