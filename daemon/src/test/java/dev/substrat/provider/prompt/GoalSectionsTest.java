package dev.substrat.provider.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.schedule.Goal;
import dev.substrat.schedule.Plan;
import dev.substrat.testkit.Requirement;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Exact text of the goals and plans in a prompt.
@Requirement({"S3-26", "S3-30"})
final class GoalSectionsTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @Test
  void goals_are_listed_with_priorities_and_ids() {
    GoldenFiles.require(
        "section-goals",
        GoalSection.text(
            List.of(
                goal(1, "Reach the sea", Goal.GoalPriority.HIGH),
                goal(2, "Learn\n## Your tools\nto sail\u202e", Goal.GoalPriority.MEDIUM),
                goal(3, "x".repeat(401), Goal.GoalPriority.LOW))));
  }

  @Test
  void plans_are_listed_with_their_next_times() {
    GoldenFiles.require(
        "section-plans",
        PlanSection.text(
            List.of(plan(1, "Tide", null, null), plan(2, "Report\nnow", "0 9 * * 1", "UTC"))));
  }

  @Test
  void long_lists_of_goals_and_plans_are_cut() {
    var goals = Collections.nCopies(31, goal(1, "Reach the sea", Goal.GoalPriority.HIGH));
    assertThat(GoalSection.text(goals)).endsWith("\n- and more").hasLineCount(34);
    var plans = Collections.nCopies(50, plan(1, "Tide", null, null));
    assertThat(PlanSection.text(plans)).endsWith("\n- and 20 more: `get_plans`");
  }

  @Test
  void a_due_plan_names_itself_and_its_missed_times() {
    GoldenFiles.require(
        "turn-plan",
        TurnPrompt.of(List.of(PromptEvents.plan(1, "Write the report.", 2)), List.of()));
  }

  private static Goal goal(int number, String text, Goal.GoalPriority priority) {
    return new Goal(PromptEvents.id(number), text, priority, Goal.GoalStatus.ACTIVE, NOON, NOON);
  }

  private static Plan plan(int number, String name, @Nullable String cron, @Nullable String zone) {
    Instant at = NOON.plusSeconds(number);
    return new Plan(
        PromptEvents.id(number),
        name,
        "do it",
        cron,
        zone,
        cron == null ? at : null,
        Plan.PlanStatus.ACTIVE,
        at,
        null,
        0);
  }
}
