package dev.substrat.turn;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;

/// How many agents may think at the same time.
///
/// A slot is held for one turn and never while waiting for another agent: every tool returns at
/// once, so the holder of a slot can always finish. That is why no cycle of agents can deadlock
/// here, and why nothing in this class has a timeout. First come, first served, in the order in
/// which places in the line were taken and not in that in which threads happen to run.
///
/// Safe for many threads: line and counter are guarded by the object's lock.
public final class Slots {
  private final int total;
  private final Deque<Place> line = new ArrayDeque<>();
  private int busy;
  private boolean held;

  public Slots(int total) {
    this.total = total;
  }

  /// Goes to the end of the line; returns at once.
  synchronized Place lineUp() {
    var place = new Place();
    line.add(place);
    serve();
    return place;
  }

  synchronized void giveBack() {
    busy--;
    serve();
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
    return total;
  }

  public synchronized int busy() {
    return busy;
  }

  private void serve() {
    while (!held && busy < total && !line.isEmpty()) {
      busy++;
      line.remove().granted.countDown();
    }
  }

  /// Somebody's place in the line.
  final class Place {
    private final CountDownLatch granted = new CountDownLatch(1);

    /// Returns when the slot is there; whoever is interrupted before that has left the line.
    void await() throws InterruptedException {
      try {
        granted.await();
      } catch (InterruptedException e) {
        leave(this);
        throw e;
      }
    }
  }

  private synchronized void leave(Place place) {
    if (!line.remove(place)) {
      // It was its turn at the very same moment.
      giveBack();
    }
  }
}
