package dev.substrat.provider.prompt;

import dev.substrat.schedule.Plan;
import dev.substrat.schedule.Plans;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Prompt section with an agent's plans, one line each. It changes whenever a plan was due, so it
/// comes last.
final class PlanSection {
  private static final int MAX_COUNT = 30;

  private PlanSection() {}

  static Optional<String> of(Tx tx, Agent agent) {
    List<Plan> plans = Plans.active(tx, agent.id());
    return plans.isEmpty() ? Optional.empty() : Optional.of(text(plans));
  }

  static String text(List<Plan> plans) {
    var lines = new ArrayList<String>();
    lines.add("## Your plans\n");
    lines.add(
        "When a plan is due, its instruction starts a turn. Change your plans with `set_plans`.");
    plans.stream().limit(MAX_COUNT).map(PlanSection::line).forEach(lines::add);
    if (plans.size() > MAX_COUNT) {
      lines.add("- and %d more: `get_plans`".formatted(plans.size() - MAX_COUNT));
    }
    return String.join("\n", lines);
  }

  private static String line(Plan plan) {
    String again =
        plan.cron() == null
            ? ""
            : ", then `%s` %s".formatted(VisibleText.line(plan.cron()), plan.timezone());
    return "- %s: next %s%s (id %s)"
        .formatted(GoalSection.line(plan.name()), plan.nextRunAt(), again, plan.id());
  }
}
