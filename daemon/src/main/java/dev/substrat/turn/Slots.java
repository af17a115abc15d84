package dev.substrat.turn;

import dev.substrat.config.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// How many agents may think at the same time: in all, in one team, on one provider.
///
/// A slot is held for one turn and never while waiting for another one: every tool call returns
/// after its inline time at the latest, so the holder of a slot can always finish. That is why no
/// cycle of agents can deadlock here, and why a turn waits for its slot without a timeout.
///
/// Fair: the next free slot goes to the team that has the fewest, and within that to the agent that
/// has lined up first, not to the thread that happens to run first. So a crowd cannot starve a
/// small team, and one that waits for a full provider holds nobody else up. Agents that line up
/// between two grants are ordered by the event they wait for, so their order does not depend on
/// when the dispatcher looked.
///
/// Safe for many threads: line and counters are guarded by the object's lock, which is never held
/// while waiting.
public final class Slots {
  /// After every event id.
  private static final String LAST = "~";

  private final Caps caps;
  private final List<Place> line = new ArrayList<>();
  private final Map<String, Integer> busyByTeam = new HashMap<>();
  private final Map<String, Integer> busyByProvider = new HashMap<>();
  private int busy;
  private long grants;
  private boolean held;
  private @Nullable Slots ofSubAgents;

  public Slots(Caps caps) {
    this.caps = caps;
  }

  /// The most there can be; a provider that is not named shares in the total only.
  public record Caps(int total, int perTeam, Map<String, Integer> perProvider) {
    public static Caps of(int total) {
      return new Caps(total, total, Map.of());
    }

    /// Those that somebody set.
    public static Caps of(Settings settings) {
      Integer perTeam = settings.shares().perTeam();
      return new Caps(
          settings.slots(),
          perTeam == null ? settings.slots() : perTeam,
          settings.shares().perProvider());
    }

    int of(String provider) {
      return perProvider.getOrDefault(provider, total);
    }
  }

  /// Where an agent belongs: the tree it lives in, and what thinks for it.
  public record Seat(String team, String provider) {}

  /// Goes to the end of the line; returns at once.
  public Place lineUp(Seat seat) {
    return lineUp(seat, LAST);
  }

  /// The same for an agent whose oldest waiting event is `event`.
  synchronized Place lineUp(Seat seat, String event) {
    var place = new Place(seat, event, grants);
    int at = line.size();
    while (at > 0 && line.get(at - 1).comesAfter(place)) {
      at--;
    }
    line.add(at, place);
    serve();
    return place;
  }

  /// Nobody gets a slot until [#resume]; whoever has one keeps it.
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

  /// As many slots for sub-agents: a slow one takes no slot from a turn.
  public synchronized Slots ofSubAgents() {
    if (ofSubAgents == null) {
      ofSubAgents = new Slots(caps);
    }
    return ofSubAgents;
  }

  /// Whether somebody who lined up now would get a slot at once.
  public synchronized boolean isFree(Seat seat) {
    return !held
        && busy < caps.total
        && busyByTeam.getOrDefault(seat.team, 0) < caps.perTeam
        && busyByProvider.getOrDefault(seat.provider, 0) < caps.of(seat.provider);
  }

  public synchronized int busy() {
    return busy;
  }

  /// How they stand at one moment: how many there are and are taken, how many wait for one, and how
  /// many each provider has.
  public record Use(int total, int busy, int waiting, Map<String, Integer> byProvider) {}

  public synchronized Use use() {
    return new Use(caps.total, busy, line.size(), Map.copyOf(busyByProvider));
  }

  private void serve() {
    while (!held && busy < caps.total) {
      Optional<Place> next = next();
      if (next.isEmpty()) {
        return;
      }
      Place place = next.get();
      line.remove(place);
      busy++;
      grants++;
      busyByTeam.merge(place.seat.team, 1, Integer::sum);
      busyByProvider.merge(place.seat.provider, 1, Integer::sum);
      place.granted.countDown();
    }
  }

  private Optional<Place> next() {
    Place best = null;
    int fewest = caps.perTeam;
    for (Place place : line) {
      int ofTeam = busyByTeam.getOrDefault(place.seat.team, 0);
      int ofProvider = busyByProvider.getOrDefault(place.seat.provider, 0);
      if (ofTeam < fewest && ofProvider < caps.of(place.seat.provider)) {
        best = place;
        fewest = ofTeam;
      }
      if (fewest == 0) {
        break;
      }
    }
    return Optional.ofNullable(best);
  }

  private synchronized void release(Seat seat) {
    busy--;
    busyByTeam.computeIfPresent(seat.team, (_, count) -> count == 1 ? null : count - 1);
    busyByProvider.computeIfPresent(seat.provider, (_, count) -> count == 1 ? null : count - 1);
    serve();
  }

  private synchronized void leave(Place place) {
    if (!line.remove(place)) {
      // It was its turn at the very same moment.
      release(place.seat);
    }
  }

  /// Somebody's place in the line, and then the slot.
  public final class Place {
    private final Seat seat;
    private final String event;
    private final long since;
    private final CountDownLatch granted = new CountDownLatch(1);

    private Place(Seat seat, String event, long since) {
      this.seat = seat;
      this.event = event;
      this.since = since;
    }

    private boolean comesAfter(Place other) {
      return since == other.since && event.compareTo(other.event) > 0;
    }

    /// Whether the slot is there.
    public boolean isGranted() {
      return granted.getCount() == 0;
    }

    /// Returns when the slot is there; whoever is interrupted before that has left the line.
    public void await() throws InterruptedException {
      try {
        granted.await();
      } catch (InterruptedException e) {
        leave(this);
        throw e;
      }
    }

    /// For somebody who would rather hear soon that there is no slot. False if so; then it has left
    /// the line.
    public boolean await(Duration patience) throws InterruptedException {
      boolean isThere = false;
      try {
        isThere = granted.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        return isThere;
      } finally {
        if (!isThere) {
          leave(this);
        }
      }
    }

    public void giveBack() {
      release(seat);
    }
  }
}
