package dev.substrat.cli.team;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Steps that turn the existing team into the declared one: agents to create or update, parents
/// first; then spaces; then, with `prunes`, agents to terminate.
///
/// `kept` names memory, goals and plans that differ from the file and are not changed. `matched`
/// has the ids of existing agents, keyed by the handles in the file.
record ApplyPlan(
    List<PlanStep> changes,
    int unchanged,
    List<String> kept,
    List<PlanStep.TerminateAgentStep> undeclared,
    boolean prunes,
    Map<String, String> matched) {

  List<PlanStep> steps() {
    return prunes ? Stream.concat(changes.stream(), undeclared.stream()).toList() : changes;
  }

  /// Undeclared agents that are kept. Agents spawned by other agents are not reported.
  List<PlanStep.TerminateAgentStep> keptUndeclared() {
    return prunes
        ? List.of()
        : undeclared.stream().filter(step -> !step.agent().spawned()).toList();
  }

  /// Number of steps of each kind: `2 created, 1 updated`.
  String summary() {
    var counts = new LinkedHashMap<String, Integer>();
    steps().forEach(step -> counts.merge(step.pastVerb(), 1, Integer::sum));
    return counts.entrySet().stream()
        .map(entry -> entry.getValue() + " " + entry.getKey())
        .collect(Collectors.joining(", "));
  }

  /// True if the plan terminates agents or deletes data.
  boolean isDestructive() {
    return steps().stream()
        .anyMatch(step ->
            step instanceof PlanStep.TerminateAgentStep
                || (step instanceof PlanStep.WriteRequestsStep write
                    && write.change() == PlanStep.WriteRequestsStep.WriteVerb.DELETE));
  }
}
