package dev.substrat.cli.team;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What has to be done to make the living team like the declared one: agents to make or change,
/// parents first; spaces; then those to end, if that is wanted at all.
///
/// `kept` names memory, goals and plans that differ from the file and stay as they are. `matched`
/// are the ids of those who live already, by the handles that the file gives them.
record ApplyPlan(
    List<PlanStep> changes,
    int unchanged,
    List<String> kept,
    List<PlanStep.Terminate> undeclared,
    boolean prunes,
    Map<String, String> matched) {

  List<PlanStep> steps() {
    return prunes ? Stream.concat(changes.stream(), undeclared.stream()).toList() : changes;
  }

  /// Those that stay although nobody declared them. What agents spawn is theirs and not worth a
  /// word.
  List<PlanStep.Terminate> spared() {
    return prunes
        ? List.of()
        : undeclared.stream().filter(step -> !step.agent().spawned()).toList();
  }

  /// How many of each kind: `2 created, 1 updated`.
  String summary() {
    var counts = new LinkedHashMap<String, Integer>();
    steps().forEach(step -> counts.merge(step.pastVerb(), 1, Integer::sum));
    return counts.entrySet().stream()
        .map(entry -> entry.getValue() + " " + entry.getKey())
        .collect(Collectors.joining(", "));
  }

  /// Whether it ends agents or deletes what they keep.
  boolean removesSomething() {
    return steps().stream()
        .anyMatch(step ->
            step instanceof PlanStep.Terminate
                || (step instanceof PlanStep.Write write
                    && write.change() == PlanStep.Write.Verb.DELETE));
  }
}
