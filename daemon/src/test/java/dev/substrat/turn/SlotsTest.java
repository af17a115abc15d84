package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.testkit.Requirement;
import dev.substrat.turn.scheduling.Slots;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Slots are finite and shared out fairly.
@Requirement("S0-9")
final class SlotsTest {
  private static final Slots.HeldSlot CROWD = new Slots.HeldSlot("crowd", "scripted");
  private static final Slots.HeldSlot SMALL = new Slots.HeldSlot("small", "scripted");
  private static final Slots.HeldSlot COSTLY = new Slots.HeldSlot("crowd", "costly");

  @AfterEach
  void nobody_is_left_interrupted() {
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void agents_that_line_up_between_two_grants_stand_in_the_order_of_their_events() {
    var slots = new Slots(Slots.Caps.of(1));
    Slots.QueuePosition holder = slots.enqueue(CROWD, "1");
    Slots.QueuePosition late = slots.enqueue(CROWD, "3");
    Slots.QueuePosition early = slots.enqueue(CROWD, "2");

    holder.release();
    assertThat(early.isGranted()).isTrue();
    Slots.QueuePosition oldest = slots.enqueue(CROWD, "0");
    early.release();
    assertThat(late.isGranted()).as("it was in line before the last grant").isTrue();
    late.release();
    assertThat(oldest.isGranted()).isTrue();
  }

  @Test
  void a_free_slot_goes_to_the_team_that_has_the_fewest() throws InterruptedException {
    var slots = new Slots(Slots.Caps.of(2));
    Slots.QueuePosition one = slots.enqueue(CROWD);
    Slots.QueuePosition two = slots.enqueue(CROWD);
    Slots.QueuePosition three = slots.enqueue(CROWD);
    Slots.QueuePosition small = slots.enqueue(SMALL);

    one.release();

    assertThat(isServed(small)).isTrue();
    assertThat(slots.busy()).isEqualTo(2);
    two.release();
    assertThat(isServed(three)).isTrue();
  }

  @Test
  void how_they_stand_is_told_in_one_piece() {
    var slots = new Slots(Slots.Caps.of(2));
    slots.enqueue(CROWD);
    slots.enqueue(COSTLY);
    slots.enqueue(SMALL);

    assertThat(slots.use()).isEqualTo(new Slots.Use(2, 2, 1, Map.of("scripted", 1, "costly", 1)));
  }

  @Test
  void within_a_team_whoever_lined_up_first_is_served_first() throws InterruptedException {
    var slots = new Slots(Slots.Caps.of(1));
    Slots.QueuePosition holder = slots.enqueue(CROWD);
    Slots.QueuePosition first = slots.enqueue(CROWD);
    Slots.QueuePosition second = slots.enqueue(CROWD);

    holder.release();

    assertThat(isServed(first)).isTrue();
    assertThat(isServed(second)).isFalse();
  }

  @Test
  void a_full_provider_holds_nobody_else_up() throws InterruptedException {
    var slots = new Slots(new Slots.Caps(3, 3, Map.of("costly", 1)));
    Slots.QueuePosition costly = slots.enqueue(COSTLY);
    Slots.QueuePosition waiting = slots.enqueue(COSTLY);

    assertThat(isServed(slots.enqueue(SMALL))).isTrue();
    assertThat(slots.busy()).isEqualTo(2);
    costly.release();
    assertThat(isServed(waiting)).isTrue();
  }

  @Test
  void a_team_has_no_more_than_its_share() throws InterruptedException {
    var slots = new Slots(new Slots.Caps(3, 1, Map.of()));
    Slots.QueuePosition first = slots.enqueue(CROWD);
    Slots.QueuePosition second = slots.enqueue(CROWD);

    assertThat(isServed(slots.enqueue(SMALL))).isTrue();
    assertThat(slots.busy()).isEqualTo(2);
    first.release();
    assertThat(isServed(second)).isTrue();
  }

  @Test
  void while_they_are_held_nobody_gets_one_and_whoever_has_one_keeps_it()
      throws InterruptedException {
    var slots = new Slots(Slots.Caps.of(1));
    Slots.QueuePosition holder = slots.enqueue(CROWD);
    slots.hold();
    Slots.QueuePosition waiting = slots.enqueue(CROWD);
    assertThat(slots.busy()).isEqualTo(1);

    holder.release();
    assertThat(slots.busy()).isZero();

    slots.resume();
    waiting.await();
    assertThat(slots.busy()).isEqualTo(1);
  }

  @Test
  void whoever_is_interrupted_in_the_line_leaves_it_and_blocks_nobody()
      throws InterruptedException {
    var slots = new Slots(Slots.Caps.of(1));
    Slots.QueuePosition holder = slots.enqueue(CROWD);
    Slots.QueuePosition gone = slots.enqueue(CROWD);
    Slots.QueuePosition next = slots.enqueue(CROWD);
    Thread.currentThread().interrupt();
    assertThatThrownBy(gone::await).isInstanceOf(InterruptedException.class);

    holder.release();

    next.await();
    assertThat(slots.busy()).isEqualTo(1);
  }

  @Test
  void whoever_is_interrupted_at_the_moment_it_is_served_gives_the_slot_back() {
    var slots = new Slots(Slots.Caps.of(1));
    Slots.QueuePosition served = slots.enqueue(CROWD);
    Thread.currentThread().interrupt();
    assertThatThrownBy(served::await).isInstanceOf(InterruptedException.class);

    assertThat(slots.busy()).isZero();
  }

  @Test
  void whoever_loses_patience_leaves_the_line() throws InterruptedException {
    var slots = new Slots(Slots.Caps.of(1));
    Slots.QueuePosition holder = slots.enqueue(CROWD);

    assertThat(slots.enqueue(SMALL).await(Duration.ofMillis(1))).isFalse();

    holder.release();
    assertThat(slots.busy()).isZero();
  }

  private static boolean isServed(Slots.QueuePosition place) throws InterruptedException {
    return place.await(Duration.ZERO);
  }
}
