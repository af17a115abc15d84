package dev.substrat.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.protocol.Fault;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Goals are set, changed and deleted by their agent and by no other.
@OnEveryDatabase
final class GoalsTest {
  private final ScheduleTeam keeper;

  GoalsTest(TestDatabase kind) {
    this.keeper = new ScheduleTeam(kind);
  }

  @AfterEach
  void close() throws IOException {
    keeper.close();
  }

  @Test
  @Requirement("S3-26")
  void goals_are_created_and_changed_together() {
    List<Goal> made = set("{description: learn to sail}", "{description: map, priority: high}");
    assertThat(made)
        .extracting(Goal::priority)
        .map(Object::toString)
        .containsExactly("medium", "high");
    assertThat(made).extracting(Goal::status).containsOnly(Goal.GoalStatus.ACTIVE);

    keeper.clock.pass(Duration.ofSeconds(1));
    String sail = made.getFirst().id();
    Goal reached = set("{id: %s, status: completed}".formatted(sail)).getFirst();

    assertThat(reached.description()).isEqualTo("learn to sail");
    assertThat(reached.createdAt()).isEqualTo(ScheduleTeam.NOON);
    assertThat(reached.updatedAt()).isEqualTo(ScheduleTeam.NOON.plusSeconds(1));
    assertThat(keeper.goals.list("ada").goals())
        .as("highest priority first")
        .containsExactly(made.get(1), reached);
    assertThat(keeper.told("goals_changed")).isEqualTo(2);
  }

  @Test
  @Requirement("S3-26")
  void if_one_goal_is_invalid_none_is_set() {
    assertThatThrownBy(() -> set("{description: fine}", "{priority: low}"))
        .isInstanceOf(Fault.class)
        .hasMessageContaining("INVALID_ARGUMENTS: /goals/1/description is missing");
    assertThatThrownBy(() -> set("{description: fine}", "{id: nobody, status: active}"))
        .isInstanceOf(Fault.class)
        .hasMessageContaining("NOT_FOUND");
    String many = "x".repeat(Goals.MAX_LENGTH + 1);
    assertThatThrownBy(() -> set("{description: %s}".formatted(many)))
        .hasMessageContaining("/goals/0/description must have 1 to 2000 characters");
    assertThatThrownBy(() -> keeper.goals.set(ScheduleTeam.call(keeper.ada, null), List.of()))
        .hasMessageContaining("/goals must have 1 to 50 entries");
    assertThat(keeper.goals.list("ada").goals()).isEmpty();
    assertThat(keeper.told("goals_changed")).isZero();
  }

  @Test
  @Requirement("S3-27")
  void a_deleted_goal_is_gone() {
    String id = set("{description: a mistake}").getFirst().id();

    DeletionResult removed =
        keeper.goals.delete(ScheduleTeam.call(keeper.ada, null), List.of(id, "x"));

    assertThat(removed).isEqualTo(new DeletionResult(List.of(id), List.of("x")));
    assertThat(keeper.goals.list("ada").goals()).isEmpty();
  }

  @Test
  @Requirement({"S3-26", "S3-27", "N7"})
  void a_goal_of_another_agent_is_not_found() {
    Goal goal = set("{description: mine}").getFirst();
    var ben = ScheduleTeam.call(keeper.ben, null);

    assertThat(keeper.goals.delete(ben, List.of(goal.id())).notFound()).containsExactly(goal.id());
    var his = List.of(ScheduleTeam.goal("{id: %s, description: his}".formatted(goal.id())));
    assertThatThrownBy(() -> keeper.goals.set(ben, his)).hasMessageContaining("NOT_FOUND");
    assertThat(keeper.goals.list("ada").goals()).containsExactly(goal);
  }

  @Test
  @Requirement("A12")
  void a_retried_turn_sets_and_deletes_once_with_the_same_results() {
    var call = ScheduleTeam.call(keeper.ada, "key");
    var drafts = List.of(ScheduleTeam.goal("{description: once}"));
    var set = keeper.goals.set(call, drafts);
    assertThat(keeper.goals.set(call, drafts)).isEqualTo(set);
    assertThat(keeper.goals.list("ada")).isEqualTo(set);

    List<String> ids = List.of(set.goals().getFirst().id());
    var deleted = keeper.goals.delete(call, ids);
    assertThat(keeper.goals.delete(call, ids)).isEqualTo(deleted);
    assertThat(keeper.goals.set(call, drafts)).isEqualTo(set);
    assertThat(keeper.goals.list("ada").goals()).isEmpty();
  }

  @Test
  void the_number_of_goals_is_limited() {
    var fifty = Collections.nCopies(Goals.AT_ONCE, ScheduleTeam.goal("{description: more}"));
    for (int i = 0; i < Goals.MAX_COUNT / Goals.AT_ONCE; i++) {
      keeper.goals.set(ScheduleTeam.call(keeper.ada, null), fifty);
    }
    assertThatThrownBy(() -> set("{description: one more}")).hasMessageContaining("LIMIT_REACHED");
    assertThat(keeper.goals.list("ada").goals()).hasSize(Goals.MAX_COUNT);
  }

  private List<Goal> set(String... yaml) {
    var drafts = List.of(yaml).stream().map(ScheduleTeam::goal).toList();
    return keeper.goals.set(ScheduleTeam.call(keeper.ada, null), drafts).goals();
  }
}
