package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.testkit.Requirement;
import dev.substrat.turn.slot.Slots;
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
  void how_they_stand_is_told_in_one_piece() {
    var slots = new Slots(Slots.Caps.of(2));
    slots.lineUp(CROWD);
    slots.lineUp(COSTLY);
    slots.lineUp(SMALL);

    assertThat(slots.use()).isEqualTo(new Slots.Use(2, 2, 1, Map.of("scripted", 1, "costly", 1)));
  }

  @Test
  void within_a_team_whoever_lined_up_first_is_served_first() throws InterruptedException {
    var slots = new Slots(Slots.Caps.of(1));
    Slots.QueuePosition holder = slots.lineUp(CROWD);
    Slots.QueuePosition first = slots.lineUp(CROWD);
    Slots.QueuePosition second = slots.lineUp(CROWD);

    holder.giveBack();

    assertThat(isServed(first)).isTrue();
    assertThat(isServed(second)).isFalse();
  }

  @Test
  void a_full_provider_holds_nobody_else_up() throws InterruptedException {
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
  void while_they_are_held_nobody_gets_one_and_whoever_has_one_keeps_it()
      throws InterruptedException {
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
  void whoever_is_interrupted_in_the_line_leaves_it_and_blocks_nobody()
      throws InterruptedException {
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
  void whoever_is_interrupted_at_the_moment_it_is_served_gives_the_slot_back() {
    var slots = new Slots(Slots.Caps.of(1));
    Slots.QueuePosition served = slots.lineUp(CROWD);
    Thread.currentThread().interrupt();
    assertThatThrownBy(served::await).isInstanceOf(InterruptedException.class);

    assertThat(slots.busy()).isZero();
  }

  @Test
  void whoever_loses_patience_leaves_the_line() throws InterruptedException {
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
