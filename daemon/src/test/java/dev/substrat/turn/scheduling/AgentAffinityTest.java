package dev.substrat.turn.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.turn.scheduling.AgentAffinity.Choice;
import dev.substrat.turn.scheduling.Leases.ReadyAgent;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Which ready agents a daemon starts, at given times.
final class AgentAffinityTest {
  private static final Duration SOON = AgentAffinity.HEAD_START;
  private static final Duration LATE = AgentAffinity.LONGEST_WAIT;

  private final AgentAffinity affinity = new AgentAffinity("here");

  AgentAffinityTest() {
    for (int i = 0; i < 100; i++) {
      affinity.claimTook(Duration.ofMillis(1).toNanos());
    }
  }

  @Test
  void own_agents_and_new_agents_start_immediately() {
    var own = ready("a", 3, "here");
    var fresh = ready("b", 0, null);

    Choice choice = choose(Duration.ZERO, own, fresh);

    assertThat(choice.own()).containsExactly(own, fresh);
    assertThat(choice.others()).isEmpty();
    assertThat(choice.isIncomplete()).isFalse();
  }

  @Test
  void another_daemon_is_notified_once_and_goes_first() {
    var other = ready("a", 3, "there");

    Choice first = choose(Duration.ZERO, other);
    Choice next = choose(Duration.ofMillis(1), other);

    assertThat(first.others()).containsExactly("there");
    assertThat(first.isIncomplete()).isTrue();
    assertThat(List.of(first, next)).allMatch(one -> one.own().isEmpty() && one.spare().isEmpty());
    assertThat(next.others()).isEmpty();
  }

  @Test
  void a_free_slot_takes_what_the_other_daemon_leaves() {
    var other = ready("a", 3, "there");
    choose(Duration.ZERO, other);

    Choice choice = choose(SOON, other);

    assertThat(choice.own()).isEmpty();
    assertThat(choice.spare()).containsExactly(other);
  }

  @Test
  void an_agent_of_a_dead_daemon_is_queued_in_order_even_if_no_slot_is_free() {
    var other = ready("a", 3, "there");
    var own = ready("b", 3, "here");
    choose(Duration.ZERO, other);

    Choice choice = choose(LATE, other, own);

    assertThat(choice.own()).containsExactly(other, own);
  }

  @Test
  void a_turn_of_the_other_daemon_starts_the_wait_again() {
    choose(Duration.ZERO, ready("a", 3, "there"));

    Choice choice = choose(LATE, ready("a", 4, "there"));

    assertThat(choice.own()).isEmpty();
    assertThat(choice.spare()).isEmpty();
    assertThat(choice.others()).containsExactly("there");
  }

  @Test
  void an_agent_that_was_not_ready_in_between_waits_again() {
    var other = ready("a", 3, "there");
    choose(Duration.ZERO, other);
    choose(SOON);

    assertThat(choose(LATE, other).spare()).isEmpty();
  }

  @Test
  void an_agent_that_this_daemon_runs_is_not_left_to_others() {
    var other = ready("a", 3, "there");

    Choice choice = affinity.choose(List.of(other), _ -> true, 0);

    assertThat(choice.isIncomplete()).isFalse();
    assertThat(choice.others()).isEmpty();
  }

  @Test
  void a_lost_claim_doubles_the_wait_also_for_own_agents() {
    var own = ready("a", 3, "here");
    affinity.lost(own, 0);
    affinity.lost(own, 0);

    assertThat(choose(SOON.multipliedBy(4).minusNanos(1), own).own()).isEmpty();
    assertThat(choose(SOON.multipliedBy(4), own).own()).containsExactly(own);
    assertThat(choose(Duration.ZERO, ready("a", 4, "here")).own()).hasSize(1);
  }

  @Test
  void a_slow_database_lengthens_the_head_start_up_to_a_limit() {
    for (int i = 0; i < 100; i++) {
      affinity.claimTook(Duration.ofMillis(10).toNanos());
    }
    assertThat(affinity.headStart()).isBetween(SOON.plusMillis(1), Duration.ofMillis(30));
    affinity.claimTook(Duration.ofMinutes(1).toNanos());
    assertThat(affinity.headStart()).isEqualTo(LATE.dividedBy(2));
  }

  private Choice choose(Duration at, ReadyAgent... ready) {
    return affinity.choose(List.of(ready), _ -> false, at.toNanos());
  }

  private static ReadyAgent ready(String agent, long turn, @Nullable String ranOn) {
    return new ReadyAgent(
        new AgentId(agent), new Slots.HeldSlot("team", "scripted"), "event", turn, ranOn);
  }
}
