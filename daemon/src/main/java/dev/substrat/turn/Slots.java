package dev.substrat.turn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// How many agents may think at the same time: in all, in one team, on one provider.
///
/// A slot is held for one turn and never while waiting for another agent: every tool returns at
/// once, so the holder of a slot can always finish. That is why no cycle of agents can deadlock
/// here, and why a turn waits for its slot without a timeout.
///
/// Fair: the next free slot goes to the team that has the fewest, and within that to whoever has
/// waited longest. So a crowd cannot starve a small team, and one that waits for a full provider
/// holds nobody else up. Safe for many threads, under one lock that is never held while waiting.
public final class Slots {
  private static final Duration FOREVER = Duration.ofDays(365_000);

  private final Caps caps;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Waiter> waiting = new ArrayList<>();
  private final Map<String, Integer> busyByTeam = new HashMap<>();
  private final Map<String, Integer> busyByProvider = new HashMap<>();
  private int busy;

  public Slots(Caps caps) {
    this.caps = caps;
  }

  /// The most there can be; a provider that is not named shares in the total only.
  public record Caps(int total, int perTeam, Map<String, Integer> perProvider) {
    public static Caps of(int total) {
      return new Caps(total, total, Map.of());
    }

    int of(String provider) {
      return perProvider.getOrDefault(provider, total);
    }
  }

  /// Where an agent belongs: the tree it lives in, and what thinks for it.
  public record Seat(String team, String provider) {}

  void take(Seat seat) throws InterruptedException {
    takeWithin(seat, FOREVER);
  }

  /// For somebody who would rather hear soon that there is no slot; false if so.
  public boolean takeWithin(Seat seat, Duration patience) throws InterruptedException {
    var waiter = new Waiter(seat, new CountDownLatch(1));
    locked(() -> {
      waiting.add(waiter);
      grant();
    });
    try {
      if (waiter.granted.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        return true;
      }
    } catch (InterruptedException e) {
      locked(() -> giveUp(waiter));
      throw e;
    }
    locked(() -> giveUp(waiter));
    return false;
  }

  public void giveBack(Seat seat) {
    locked(() -> leave(seat));
  }

  /// The slot may have come in the last moment.
  private void giveUp(Waiter waiter) {
    if (!waiting.remove(waiter)) {
      leave(waiter.seat);
    }
  }

  private void leave(Seat seat) {
    busy--;
    busyByTeam.computeIfPresent(seat.team, (_, count) -> count == 1 ? null : count - 1);
    busyByProvider.computeIfPresent(seat.provider, (_, count) -> count == 1 ? null : count - 1);
    grant();
  }

  private void grant() {
    while (busy < caps.total) {
      Optional<Waiter> next = next();
      if (next.isEmpty()) {
        return;
      }
      waiting.remove(next.get());
      busy++;
      busyByTeam.merge(next.get().seat.team, 1, Integer::sum);
      busyByProvider.merge(next.get().seat.provider, 1, Integer::sum);
      next.get().granted.countDown();
    }
  }

  private Optional<Waiter> next() {
    Waiter best = null;
    int fewest = caps.perTeam;
    for (Waiter waiter : waiting) {
      int ofTeam = busyByTeam.getOrDefault(waiter.seat.team, 0);
      int ofProvider = busyByProvider.getOrDefault(waiter.seat.provider, 0);
      if (ofTeam < fewest && ofProvider < caps.of(waiter.seat.provider)) {
        best = waiter;
        fewest = ofTeam;
        if (fewest == 0) {
          break;
        }
      }
    }
    return Optional.ofNullable(best);
  }

  private void locked(Runnable work) {
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  public int total() {
    return caps.total;
  }

  public int busy() {
    lock.lock();
    try {
      return busy;
    } finally {
      lock.unlock();
    }
  }

  private record Waiter(Seat seat, CountDownLatch granted) {
    /// One waiter is no other, even for the same seat.
    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }
}
