package dev.substrat.goal;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.tool.Effect;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import java.util.List;

/// The tools an agent keeps its goals and plans with.
public final class GoalTools {
  private final Goals goals;
  private final Plans plans;

  public GoalTools(Goals goals, Plans plans) {
    this.goals = goals;
    this.plans = plans;
  }

  /// Goals to create or change.
  public record SetGoals(
      @JsonPropertyDescription("Goals to add, or to change if they have an `id`.")
          List<Goal.Draft> goals) {}

  /// Plans to create or change.
  public record SetPlans(
      @JsonPropertyDescription("Plans to add, or to change if they have an `id`.")
          List<Plan.Draft> plans) {}

  /// Which ones.
  public record Ids(
      @JsonPropertyDescription("Ids of your own, as they were given to you.") List<String> ids) {}

  /// Nothing to say.
  public record Nothing() {}

  public List<Tool> tools() {
    return List.of(setGoals(), deleteGoals(), setPlans(), getPlans(), deletePlans());
  }

  private Tool setGoals() {
    return SimpleTool.of(
        "set_goals",
        Effect.CHANGES,
        SetGoals.class,
        Goals.Listed.class,
        """
        Creates goals of yours, or changes those whose id you give. You are shown your active goals in
        every turn; set their status to completed or abandoned when that is so. It returns them as they
        are stored, with their ids.\
        """,
        (call, input) -> goals.set(call, input.goals()));
  }

  private Tool deleteGoals() {
    return SimpleTool.of(
        "delete_goals",
        Effect.ENDS,
        Ids.class,
        Removed.class,
        "Deletes goals of yours. Use it for mistakes; what is reached is better set to completed.",
        (call, input) -> goals.delete(call, input.ids()));
  }

  private Tool setPlans() {
    return SimpleTool.of(
        "set_plans",
        Effect.CHANGES,
        SetPlans.class,
        Plans.Listed.class,
        """
        Creates plans of yours, or changes those whose id you give: what to do, and exactly one of
        cron, scheduledAt or runAfter. When a plan is due you are woken with its instruction. It
        returns at once, with the plans as they are stored, their ids and their next times.\
        """,
        (call, input) -> plans.set(call, input.plans()));
  }

  private Tool getPlans() {
    return SimpleTool.of(
        "get_plans",
        Effect.LOOKS,
        Nothing.class,
        Plans.Listed.class,
        "Returns your plans: what they tell you, when they come next, when they came last.",
        (call, input) -> plans.list(call.caller().agent().id().value()));
  }

  private Tool deletePlans() {
    return SimpleTool.of(
        "delete_plans",
        Effect.ENDS,
        Ids.class,
        Removed.class,
        "Deletes plans of yours; they will not come any more.",
        (call, input) -> plans.delete(call, input.ids()));
  }
}
