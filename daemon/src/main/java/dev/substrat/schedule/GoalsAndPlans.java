package dev.substrat.schedule;

import dev.substrat.store.Database;
import dev.substrat.store.event.EventLog;
import dev.substrat.tool.Tool;
import java.time.InstantSource;
import java.util.List;

/// Goals, plans and the delivery of due plans.
public record GoalsAndPlans(Goals goals, Plans plans, DuePlanDelivery due) {

  public static GoalsAndPlans of(Database database, EventLog events, InstantSource clock) {
    return new GoalsAndPlans(
        new Goals(database, events, clock),
        new Plans(database, events, clock),
        new DuePlanDelivery(database, events, clock));
  }

  /// The tools agents have for it.
  public List<Tool> tools() {
    return new GoalTools(goals, plans).tools();
  }
}
