package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.testkit.Requirement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
final class SlotsTest {
  private final Slots slots = new Slots(1);

  @AfterEach
  void nobody_is_left_interrupted() {
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  @Requirement("S0-9")
  void whoever_lined_up_first_is_served_first_whichever_thread_asks_first()
      throws InterruptedException {
    slots.lineUp().await();
    Slots.Place first = slots.lineUp();
    Slots.Place second = slots.lineUp();
    List<String> served = new ArrayList<>();
    Thread later = use(second, "second", served);
    Thread earlier = use(first, "first", served);

    slots.giveBack();
    earlier.join();
    later.join();

    assertThat(served).containsExactly("first", "second");
    assertThat(slots.busy()).isZero();
  }

  private Thread use(Slots.Place place, String name, List<String> served) {
    return Thread.ofVirtual()
        .start(() -> {
          try {
            place.await();
            // Only one at a time gets here.
            served.add(name);
            slots.giveBack();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  @Test
  void while_they_are_held_nobody_gets_one_and_whoever_has_one_keeps_it()
      throws InterruptedException {
    slots.lineUp().await();
    slots.hold();
    Slots.Place waiting = slots.lineUp();
    assertThat(slots.busy()).isEqualTo(1);

    slots.giveBack();
    assertThat(slots.busy()).isZero();

    slots.resume();
    waiting.await();
    assertThat(slots.busy()).isEqualTo(1);
  }

  @Test
  void whoever_is_interrupted_in_the_line_leaves_it_and_blocks_nobody()
      throws InterruptedException {
    slots.lineUp().await();
    Slots.Place gone = slots.lineUp();
    Slots.Place next = slots.lineUp();
    Thread.currentThread().interrupt();
    assertThatThrownBy(gone::await).isInstanceOf(InterruptedException.class);

    slots.giveBack();
    next.await();
    assertThat(slots.busy()).isEqualTo(1);
  }

  @Test
  void whoever_is_interrupted_at_the_moment_it_is_served_gives_the_slot_back() {
    Slots.Place served = slots.lineUp();
    Thread.currentThread().interrupt();
    assertThatThrownBy(served::await).isInstanceOf(InterruptedException.class);

    assertThat(slots.busy()).isZero();
  }
}
