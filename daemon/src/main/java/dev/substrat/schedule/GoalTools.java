package dev.substrat.schedule;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolEffect;
import java.util.List;

/// The tools for an agent's goals and plans.
public record GoalTools(Goals goals, Plans plans) {

  /// Goals to create or change.
  public record SetGoalsInput(
      @JsonPropertyDescription("Goals to create, or to change if they have an `id`.")
          List<Goal.GoalDraft> goals) {}

  /// Plans to create or change.
  public record SetPlansInput(
      @JsonPropertyDescription("Plans to create, or to change if they have an `id`.")
          List<Plan.PlanDraft> plans) {}

  /// Which ones.
  public record IdsInput(@JsonPropertyDescription("Ids to delete.") List<String> ids) {}

  public List<Tool> tools() {
    return List.of(setGoals(), deleteGoals(), setPlans(), getPlans(), deletePlans());
  }

  private Tool setGoals() {
    return SimpleTool.of(
        "set_goals",
        ToolEffect.CHANGES,
        SetGoalsInput.class,
        Goals.GoalList.class,
        """
        Create or change your goals. When a goal is reached or dropped, set its status.[[turn| Active goals
        are shown in every turn.]] Returns the stored goals with their ids.\
        """,
        (call, input) -> goals.set(call, input.goals()));
  }

  private Tool deleteGoals() {
    return SimpleTool.of(
        "delete_goals",
        ToolEffect.ENDS,
        IdsInput.class,
        DeletionResult.class,
        "Delete goals created by mistake. When you reach a goal, set its status to completed"
            + " instead.",
        (call, input) -> goals.delete(call, input.ids()));
  }

  private Tool setPlans() {
    return SimpleTool.of(
        "set_plans",
        ToolEffect.CHANGES,
        SetPlansInput.class,
        Plans.PlanList.class,
        """
        Schedule work for yourself, once or repeatedly; never wait or poll instead. When a plan is due, its
        instruction [[turn|starts a turn]][[external|arrives in your inbox]]. Give exactly one of cron,
        scheduledAt and runAfter. Returns the stored plans with ids and next times.\
        """,
        (call, input) -> plans.set(call, input.plans()));
  }

  private Tool getPlans() {
    return SimpleTool.of(
        "get_plans",
        ToolEffect.LOOKS,
        SimpleTool.NoInput.class,
        Plans.PlanList.class,
        "Return your plans with their ids and next times.",
        (call, input) -> plans.list(call.caller().agent().id().value()));
  }

  private Tool deletePlans() {
    return SimpleTool.of(
        "delete_plans",
        ToolEffect.ENDS,
        IdsInput.class,
        DeletionResult.class,
        "Delete your plans.",
        (call, input) -> plans.delete(call, input.ids()));
  }
}
