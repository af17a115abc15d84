package dev.substrat.provider.prompt;

import dev.substrat.schedule.Goal;
import dev.substrat.schedule.Goals;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Prompt section with an agent's goals, one line each. The texts may contain foreign text, so each
/// stays on one line.
final class GoalSection {
  private static final int MAX_COUNT = 30;
  private static final int MAX_LENGTH = 400;

  private GoalSection() {}

  static Optional<String> of(Tx tx, Agent agent) {
    List<Goal> goals = Goals.active(tx, agent.id(), MAX_COUNT + 1);
    return goals.isEmpty() ? Optional.empty() : Optional.of(text(goals));
  }

  static String text(List<Goal> goals) {
    var lines = new ArrayList<String>();
    lines.add("## Your goals\n");
    lines.add("Most important first. Change your goals with `set_goals`.");
    goals.stream()
        .limit(MAX_COUNT)
        .map(goal ->
            "- %s (%s, id %s)".formatted(line(goal.description()), goal.priority(), goal.id()))
        .forEach(lines::add);
    if (goals.size() > MAX_COUNT) {
      lines.add("- and more");
    }
    return String.join("\n", lines);
  }

  /// The beginning of the text that fits on one line.
  static String line(String text) {
    TextExcerpt beginning = TextExcerpt.of(text, MAX_LENGTH);
    return VisibleText.line(text.substring(0, beginning.shown())) + (beginning.isCut() ? "…" : "");
  }
}
