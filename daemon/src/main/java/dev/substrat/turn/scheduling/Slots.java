package dev.substrat.turn.scheduling;

import dev.substrat.platform.config.DaemonSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Limits how many turns run at the same time: in total, per team, and per provider.
///
/// A slot is held for one turn and never while waiting for another one: every tool call returns
/// after its inline time at the latest, so the holder of a slot can always finish. That is why no
/// cycle of agents can deadlock here, and why a turn waits for its slot without a timeout.
///
/// Fair: the next free slot goes to the team that has the fewest slots, and within that team to the
/// agent that was queued first, whichever thread runs first. So a large team cannot starve a small
/// one, and an agent that waits for a full provider does not block other agents. Agents that are
/// queued between two grants are ordered by their oldest waiting event, so their order does not
/// depend on when the dispatcher polled.
///
/// Safe for many threads: queue and counters are guarded by the object's lock, which is never held
/// while waiting.
public final class Slots {
  /// After every event id.
  private static final String LAST = "~";

  private final SlotCaps caps;
  private final List<QueuePosition> line = new ArrayList<>();
  private final Map<String, Integer> busyByTeam = new HashMap<>();
  private final Map<String, Integer> busyByProvider = new HashMap<>();
  private int busy;
  private long grants;
  private boolean held;
  private @Nullable Slots ofSubAgents;

  public Slots(SlotCaps caps) {
    this.caps = caps;
  }

  /// Maximum numbers of slots. A provider that is not listed is limited by the total only.
  public record SlotCaps(int total, int perTeam, Map<String, Integer> perProvider) {
    public static SlotCaps of(int total) {
      return new SlotCaps(total, total, Map.of());
    }

    /// The limits in the settings; without `perTeam`, a team is limited by the total only.
    public static SlotCaps of(DaemonSettings settings) {
      Integer perTeam = settings.shares().perTeam();
      return new SlotCaps(
          settings.slots(),
          perTeam == null ? settings.slots() : perTeam,
          settings.shares().perProvider());
    }

    int of(String provider) {
      return perProvider.getOrDefault(provider, total);
    }
  }

  /// The team and the provider that a slot of an agent is counted for.
  public record HeldSlot(String team, String provider) {}

  /// Adds an entry to the end of the queue; returns immediately.
  public QueuePosition enqueue(HeldSlot slot) {
    return enqueue(slot, LAST);
  }

  /// The same for an agent whose oldest waiting event is `event`.
  public synchronized QueuePosition enqueue(HeldSlot slot, String event) {
    var place = new QueuePosition(slot, event, grants);
    int at = line.size();
    while (at > 0 && line.get(at - 1).isAfter(place)) {
      at--;
    }
    line.add(at, place);
    serve();
    return place;
  }

  /// Grants no slots until [#resume]; slots that are in use are kept.
  public synchronized void hold() {
    held = true;
  }

  public synchronized void resume() {
    held = false;
    serve();
  }

  public int total() {
    return caps.total;
  }

  /// Separate slots for sub-agents, with the same limits: a slow sub-agent takes no slot from a
  /// turn.
  public synchronized Slots ofSubAgents() {
    if (ofSubAgents == null) {
      ofSubAgents = new Slots(caps);
    }
    return ofSubAgents;
  }

  /// Whether a slot for `seat` is free now.
  public synchronized boolean isFree(HeldSlot slot) {
    return !held
        && busy < caps.total
        && busyByTeam.getOrDefault(slot.team, 0) < caps.perTeam
        && busyByProvider.getOrDefault(slot.provider, 0) < caps.of(slot.provider);
  }

  public synchronized int busy() {
    return busy;
  }

  /// Snapshot of the slots: total, in use, places in the queue, and slots in use per provider.
  public record SlotUsage(int total, int busy, int waiting, Map<String, Integer> byProvider) {}

  public synchronized SlotUsage use() {
    return new SlotUsage(caps.total, busy, line.size(), Map.copyOf(busyByProvider));
  }

  private void serve() {
    while (!held && busy < caps.total) {
      Optional<QueuePosition> next = next();
      if (next.isEmpty()) {
        return;
      }
      QueuePosition place = next.get();
      line.remove(place);
      busy++;
      grants++;
      busyByTeam.merge(place.slot.team, 1, Integer::sum);
      busyByProvider.merge(place.slot.provider, 1, Integer::sum);
      place.granted.countDown();
    }
  }

  private Optional<QueuePosition> next() {
    QueuePosition best = null;
    int fewest = caps.perTeam;
    for (QueuePosition place : line) {
      int ofTeam = busyByTeam.getOrDefault(place.slot.team, 0);
      int ofProvider = busyByProvider.getOrDefault(place.slot.provider, 0);
      if (ofTeam < fewest && ofProvider < caps.of(place.slot.provider)) {
        best = place;
        fewest = ofTeam;
      }
      if (fewest == 0) {
        break;
      }
    }
    return Optional.ofNullable(best);
  }

  private synchronized void release(HeldSlot slot) {
    busy--;
    busyByTeam.computeIfPresent(slot.team, (_, count) -> count == 1 ? null : count - 1);
    busyByProvider.computeIfPresent(slot.provider, (_, count) -> count == 1 ? null : count - 1);
    serve();
  }

  private synchronized void leave(QueuePosition place) {
    if (!line.remove(place)) {
      // The slot was granted at the same moment.
      release(place.slot);
    }
  }

  /// A place in the queue, and the slot once it is granted.
  public final class QueuePosition {
    private final HeldSlot slot;
    private final String event;
    private final long since;
    private final CountDownLatch granted = new CountDownLatch(1);

    private QueuePosition(HeldSlot slot, String event, long since) {
      this.slot = slot;
      this.event = event;
      this.since = since;
    }

    private boolean isAfter(QueuePosition other) {
      return since == other.since && event.compareTo(other.event) > 0;
    }

    /// Whether the slot is granted.
    public boolean isGranted() {
      return granted.getCount() == 0;
    }

    /// Returns when the slot is granted. If the thread is interrupted before that, the place is
    /// removed from the queue.
    public void await() throws InterruptedException {
      try {
        granted.await();
      } catch (InterruptedException e) {
        leave(this);
        throw e;
      }
    }

    /// Waits for the slot for at most `patience`. If it is not granted by then, returns false and
    /// removes the place from the queue.
    public boolean await(Duration timeout) throws InterruptedException {
      boolean isThere = false;
      try {
        isThere = granted.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
        return isThere;
      } finally {
        if (!isThere) {
          leave(this);
        }
      }
    }

    public void release() {
      Slots.this.release(slot);
    }
  }
}
