package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.testkit.Requirement;
import dev.substrat.turn.scheduling.Slots;
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
    var slots = new Slots(Slots.SlotCaps.of(1));
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
    var slots = new Slots(Slots.SlotCaps.of(2));
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
  void slot_usage_is_one_consistent_snapshot() {
    var slots = new Slots(Slots.SlotCaps.of(2));
    slots.enqueue(CROWD);
    slots.enqueue(COSTLY);
    slots.enqueue(SMALL);

    assertThat(slots.use())
        .isEqualTo(new Slots.SlotUsage(2, 2, 1, Map.of("scripted", 1, "costly", 1)));
  }

  @Test
  void within_a_team_slots_are_granted_in_queue_order() throws InterruptedException {
    var slots = new Slots(Slots.SlotCaps.of(1));
    Slots.QueuePosition holder = slots.enqueue(CROWD);
    Slots.QueuePosition first = slots.enqueue(CROWD);
    Slots.QueuePosition second = slots.enqueue(CROWD);

    holder.release();

    assertThat(isServed(first)).isTrue();
    assertThat(isServed(second)).isFalse();
  }

  @Test
  void a_provider_at_its_limit_does_not_block_others() throws InterruptedException {
    var slots = new Slots(new Slots.SlotCaps(3, 3, Map.of("costly", 1)));
    Slots.QueuePosition costly = slots.enqueue(COSTLY);
    Slots.QueuePosition waiting = slots.enqueue(COSTLY);

    assertThat(isServed(slots.enqueue(SMALL))).isTrue();
    assertThat(slots.busy()).isEqualTo(2);
    costly.release();
    assertThat(isServed(waiting)).isTrue();
  }

  @Test
  void a_released_slot_of_a_provider_frees_one_and_not_all() {
    var slots = new Slots(new Slots.SlotCaps(9, 9, Map.of("costly", 2)));
    Slots.QueuePosition one = slots.enqueue(COSTLY);
    Slots.QueuePosition two = slots.enqueue(COSTLY);
    Slots.QueuePosition three = slots.enqueue(COSTLY);
    Slots.QueuePosition four = slots.enqueue(COSTLY);

    one.release();

    assertThat(two.isGranted()).isTrue();
    assertThat(three.isGranted()).isTrue();
    assertThat(four.isGranted()).as("two are in use").isFalse();
    assertThat(slots.use().byProvider()).isEqualTo(Map.of("costly", 2));
    two.release();
    three.release();
    four.release();
    assertThat(slots.use().byProvider()).isEmpty();
  }

  @Test
  void sub_agents_share_slots_of_their_own() {
    var slots = new Slots(Slots.SlotCaps.of(1));
    slots.enqueue(CROWD);

    Slots.QueuePosition sub = slots.ofSubAgents().enqueue(CROWD);

    assertThat(sub.isGranted()).as("it takes no slot of a turn").isTrue();
    assertThat(slots.ofSubAgents().enqueue(CROWD).isGranted()).isFalse();
    assertThat(slots.busy()).isEqualTo(1);
  }

  @Test
  void a_slot_is_free_if_no_limit_is_reached() {
    var slots = new Slots(new Slots.SlotCaps(3, 2, Map.of("costly", 1)));
    assertThat(slots.isFree(COSTLY)).isTrue();
    slots.enqueue(COSTLY);
    assertThat(slots.isFree(COSTLY)).as("its provider has one slot").isFalse();
    assertThat(slots.isFree(CROWD)).isTrue();
    slots.enqueue(CROWD);
    assertThat(slots.isFree(CROWD)).as("its team has two slots").isFalse();
    assertThat(slots.isFree(SMALL)).isTrue();
    slots.hold();
    assertThat(slots.isFree(SMALL)).isFalse();
    slots.resume();
    slots.enqueue(SMALL);
    assertThat(slots.isFree(new Slots.HeldSlot("another", "scripted"))).isFalse();
  }

  @Test
  void a_team_has_no_more_than_its_share() throws InterruptedException {
    var slots = new Slots(new Slots.SlotCaps(3, 1, Map.of()));
    Slots.QueuePosition first = slots.enqueue(CROWD);
    Slots.QueuePosition second = slots.enqueue(CROWD);

    assertThat(isServed(slots.enqueue(SMALL))).isTrue();
    assertThat(slots.busy()).isEqualTo(2);
    first.release();
    assertThat(isServed(second)).isTrue();
  }

  @Test
  void while_slots_are_held_none_is_granted_and_granted_ones_stay() throws InterruptedException {
    var slots = new Slots(Slots.SlotCaps.of(1));
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
  void an_interrupted_waiter_leaves_the_queue() throws InterruptedException {
    var slots = new Slots(Slots.SlotCaps.of(1));
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
  void a_waiter_interrupted_while_it_gets_a_slot_releases_it() {
    var slots = new Slots(Slots.SlotCaps.of(1));
    Slots.QueuePosition served = slots.enqueue(CROWD);
    Thread.currentThread().interrupt();
    assertThatThrownBy(served::await).isInstanceOf(InterruptedException.class);

    assertThat(slots.busy()).isZero();
  }

  @Test
  void a_waiter_that_times_out_leaves_the_queue() throws InterruptedException {
    var slots = new Slots(Slots.SlotCaps.of(1));
    Slots.QueuePosition holder = slots.enqueue(CROWD);

    assertThat(slots.enqueue(SMALL).await(Duration.ofMillis(1))).isFalse();

    holder.release();
    assertThat(slots.busy()).isZero();
  }

  private static boolean isServed(Slots.QueuePosition place) throws InterruptedException {
    return place.await(Duration.ZERO);
  }
}
