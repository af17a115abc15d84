package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Slots are finite and shared out fairly.
@Requirement("S0-9")
final class SlotsTest {
  private static final Slots.Seat CROWD = new Slots.Seat("crowd", "scripted");
  private static final Slots.Seat SMALL = new Slots.Seat("small", "scripted");
  private static final Slots.Seat COSTLY = new Slots.Seat("crowd", "costly");

  private final BlockingQueue<String> seated = new LinkedBlockingQueue<>();
  private final List<Thread> threads = new ArrayList<>();

  @AfterEach
  void stop() throws InterruptedException {
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join();
    }
  }

  @Test
  void a_free_slot_goes_to_the_team_that_has_the_fewest() throws InterruptedException {
    var slots = new Slots(Slots.Caps.of(2));
    slots.take(CROWD);
    slots.take(CROWD);
    wants(slots, CROWD, "third of the crowd");
    wants(slots, SMALL, "the small team");

    slots.giveBack(CROWD);

    assertThat(next()).isEqualTo("the small team");
    slots.giveBack(CROWD);
    assertThat(next()).isEqualTo("third of the crowd");
  }

  @Test
  void within_a_team_whoever_came_first_is_first() throws InterruptedException {
    var slots = new Slots(Slots.Caps.of(1));
    slots.take(CROWD);
    wants(slots, CROWD, "first");
    wants(slots, CROWD, "second");

    slots.giveBack(CROWD);

    assertThat(next()).isEqualTo("first");
  }

  @Test
  void a_full_provider_holds_nobody_else_up() throws InterruptedException {
    var slots = new Slots(new Slots.Caps(3, 3, Map.of("costly", 1)));
    slots.take(COSTLY);
    wants(slots, COSTLY, "second costly one");
    wants(slots, SMALL, "somebody else");

    assertThat(next()).isEqualTo("somebody else");
    slots.giveBack(COSTLY);
    assertThat(next()).isEqualTo("second costly one");
  }

  @Test
  void a_team_has_no_more_than_its_share() throws InterruptedException {
    var slots = new Slots(new Slots.Caps(3, 1, Map.of()));
    slots.take(CROWD);
    wants(slots, CROWD, "second of the crowd");
    slots.take(SMALL);

    assertThat(slots.busy()).isEqualTo(2);
    slots.giveBack(CROWD);
    assertThat(next()).isEqualTo("second of the crowd");
  }

  @Test
  void whoever_stops_waiting_takes_nothing() throws InterruptedException {
    var slots = new Slots(Slots.Caps.of(1));
    slots.take(CROWD);
    Thread gone = wants(slots, CROWD, "gone");
    gone.interrupt();
    gone.join();

    slots.giveBack(CROWD);

    assertThat(slots.busy()).isZero();
    slots.take(SMALL);
  }

  /// Waits for a seat on a thread of its own; returns once it stands in the queue.
  private Thread wants(Slots slots, Slots.Seat seat, String name) {
    Thread thread =
        Thread.ofVirtual()
            .start(() -> {
              try {
                slots.take(seat);
                seated.add(name);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    threads.add(thread);
    while (thread.isAlive() && thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    return thread;
  }

  private String next() throws InterruptedException {
    String name = seated.poll(10, TimeUnit.SECONDS);
    return name == null ? "nobody" : name;
  }
}
