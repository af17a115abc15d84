package dev.substrat.turn;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// How many agents may think at the same time.
///
/// A slot is held for one turn and never while waiting for another agent: every tool returns at
/// once, so the holder of a slot can always finish. That is why no cycle of agents can deadlock
/// here, and why a turn waits for its slot without a timeout. First come, first served.
public final class Slots {
  private final int total;
  private final Semaphore free;

  public Slots(int total) {
    this.total = total;
    this.free = new Semaphore(total, true);
  }

  void take() throws InterruptedException {
    free.acquire();
  }

  /// For somebody who waits for an answer and would rather hear that there is no slot; false if so.
  public boolean takeWithin(Duration patience) throws InterruptedException {
    return free.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  public void giveBack() {
    free.release();
  }

  public int total() {
    return total;
  }

  public int busy() {
    return total - free.availablePermits();
  }
}
