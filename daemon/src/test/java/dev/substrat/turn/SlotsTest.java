package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.testkit.Requirement;
import dev.substrat.turn.slot.Slots;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Slots are limited and shared fairly.
@Requirement("S0-9")
final class SlotsTest {
  private static final Slots.HeldSlot CROWD = new Slots.HeldSlot("crowd", "scripted");
  private static final Slots.HeldSlot SMALL = new Slots.HeldSlot("small", "scripted");
  private static final Slots.HeldSlot COSTLY = new Slots.HeldSlot("crowd", "costly");

  @AfterEach
  void the_thread_is_not_interrupted() {
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void agents_queued_between_two_grants_are_ordered_by_their_events() {
    var slots = new Slots(Slots.Caps.of(1));
    Slots.QueuePosition holder = slots.lineUp(CROWD, "1");
    Slots.QueuePosition late = slots.lineUp(CROWD, "3");
    Slots.QueuePosition early = slots.lineUp(CROWD, "2");

    holder.giveBack();
    assertThat(early.isGranted()).isTrue();
    Slots.QueuePosition oldest = slots.lineUp(CROWD, "0");
    early.giveBack();
    assertThat(late.isGranted()).as("it was in line before the last grant").isTrue();
    late.giveBack();
    assertThat(oldest.isGranted()).isTrue();
  }

  @Test
  void a_free_slot_goes_to_the_team_that_has_the_fewest() throws InterruptedException {
    var slots = new Slots(Slots.Caps.of(2));
    Slots.QueuePosition one = slots.lineUp(CROWD);
    Slots.QueuePosition two = slots.lineUp(CROWD);
    Slots.QueuePosition three = slots.lineUp(CROWD);
    Slots.QueuePosition small = slots.lineUp(SMALL);

    one.giveBack();

    assertThat(isServed(small)).isTrue();
    assertThat(slots.busy()).isEqualTo(2);
    two.giveBack();
    assertThat(isServed(three)).isTrue();
  }

  @Test
  void slot_usage_is_one_consistent_snapshot() {
    var slots = new Slots(Slots.Caps.of(2));
    slots.lineUp(CROWD);
    slots.lineUp(COSTLY);
    slots.lineUp(SMALL);

    assertThat(slots.use()).isEqualTo(new Slots.Use(2, 2, 1, Map.of("scripted", 1, "costly", 1)));
  }

  @Test
  void within_a_team_slots_are_granted_in_queue_order() throws InterruptedException {
    var slots = new Slots(Slots.Caps.of(1));
    Slots.QueuePosition holder = slots.lineUp(CROWD);
    Slots.QueuePosition first = slots.lineUp(CROWD);
    Slots.QueuePosition second = slots.lineUp(CROWD);

    holder.giveBack();

    assertThat(isServed(first)).isTrue();
    assertThat(isServed(second)).isFalse();
  }

  @Test
  void a_provider_at_its_limit_does_not_block_others() throws InterruptedException {
    var slots = new Slots(new Slots.Caps(3, 3, Map.of("costly", 1)));
    Slots.QueuePosition costly = slots.lineUp(COSTLY);
    Slots.QueuePosition waiting = slots.lineUp(COSTLY);

    assertThat(isServed(slots.lineUp(SMALL))).isTrue();
    assertThat(slots.busy()).isEqualTo(2);
    costly.giveBack();
    assertThat(isServed(waiting)).isTrue();
  }

  @Test
  void a_team_has_no_more_than_its_share() throws InterruptedException {
    var slots = new Slots(new Slots.Caps(3, 1, Map.of()));
    Slots.QueuePosition first = slots.lineUp(CROWD);
    Slots.QueuePosition second = slots.lineUp(CROWD);

    assertThat(isServed(slots.lineUp(SMALL))).isTrue();
    assertThat(slots.busy()).isEqualTo(2);
    first.giveBack();
    assertThat(isServed(second)).isTrue();
  }

  @Test
  void while_slots_are_held_none_is_granted_and_granted_ones_stay() throws InterruptedException {
    var slots = new Slots(Slots.Caps.of(1));
    Slots.QueuePosition holder = slots.lineUp(CROWD);
    slots.hold();
    Slots.QueuePosition waiting = slots.lineUp(CROWD);
    assertThat(slots.busy()).isEqualTo(1);

    holder.giveBack();
    assertThat(slots.busy()).isZero();

    slots.resume();
    waiting.await();
    assertThat(slots.busy()).isEqualTo(1);
  }

  @Test
  void an_interrupted_waiter_leaves_the_queue() throws InterruptedException {
    var slots = new Slots(Slots.Caps.of(1));
    Slots.QueuePosition holder = slots.lineUp(CROWD);
    Slots.QueuePosition gone = slots.lineUp(CROWD);
    Slots.QueuePosition next = slots.lineUp(CROWD);
    Thread.currentThread().interrupt();
    assertThatThrownBy(gone::await).isInstanceOf(InterruptedException.class);

    holder.giveBack();

    next.await();
    assertThat(slots.busy()).isEqualTo(1);
  }

  @Test
  void a_waiter_interrupted_while_it_gets_a_slot_releases_it() {
    var slots = new Slots(Slots.Caps.of(1));
    Slots.QueuePosition served = slots.lineUp(CROWD);
    Thread.currentThread().interrupt();
    assertThatThrownBy(served::await).isInstanceOf(InterruptedException.class);

    assertThat(slots.busy()).isZero();
  }

  @Test
  void a_waiter_that_times_out_leaves_the_queue() throws InterruptedException {
    var slots = new Slots(Slots.Caps.of(1));
    Slots.QueuePosition holder = slots.lineUp(CROWD);

    assertThat(slots.lineUp(SMALL).await(Duration.ofMillis(1))).isFalse();

    holder.giveBack();
    assertThat(slots.busy()).isZero();
  }

  private static boolean isServed(Slots.QueuePosition place) throws InterruptedException {
    return place.await(Duration.ZERO);
  }
}
