package dev.substrat.simulation;

import dev.substrat.simulation.SimulationPlan.Member;
import dev.substrat.simulation.SimulationPlan.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Finds a small plan that violates the same invariant: removes actions, agents, rules and steps as
/// long as the violation remains.
///
/// Removing something changes the order of threads from then on, so each candidate is tried in a
/// few orders.
final class PlanShrinker {
  private static final int ORDERS = 5;

  /// A small team that is not idle by then hardly ever becomes idle; at the end it is tried with
  /// more steps.
  private static final int PATIENCE = 1_500;

  /// Enough for every history seen so far; it keeps the shrinker from running forever.
  private static final int MOST_TRIES = 3_000;

  private final InjectedBug sabotage;
  private final String law;
  private SimulationPlan smallest;
  private int tries;

  private PlanShrinker(SimulationResult failed, InjectedBug sabotage) {
    this.smallest = failed.plan();
    this.law = failed.law().orElseThrow();
    this.sabotage = sabotage;
  }

  static SimulationResult shrink(SimulationResult failed, InjectedBug sabotage) {
    var shrinker = new PlanShrinker(failed, sabotage);
    while (shrinker.shrinkOnce() && shrinker.tries < MOST_TRIES) {
      // Once more: a part that was needed before may be removable now.
    }
    SimulationResult told =
        SimulationResult.told(shrinker.smallest, sabotage, Simulation.MOST_STEPS);
    return told.law().equals(failed.law())
        ? told
        : SimulationResult.told(failed.plan(), sabotage, Simulation.MOST_STEPS);
  }

  private boolean shrinkOnce() {
    SimulationPlan before = smallest;
    shrinkList(SimulationPlan::acts, (plan, acts) -> plan.with(plan.team(), acts));
    shrinkList(SimulationPlan::team, (plan, team) -> plan.with(withoutOrphans(team), plan.acts()));
    shrinkRules();
    if (smallest.daemons() > 1) {
      keepIfBroken(smallest.on(1));
    }
    return !smallest.equals(before);
  }

  /// Leaves out halves, quarters and so on, down to single ones.
  private <T> void shrinkList(Function<SimulationPlan, List<T>> list, Rebuild<T> rebuild) {
    for (int size = Math.max(1, list.apply(smallest).size() / 2); size > 0; size /= 2) {
      for (int from = 0; from < list.apply(smallest).size(); ) {
        var fewer = new ArrayList<>(list.apply(smallest));
        fewer.subList(from, Math.min(fewer.size(), from + size)).clear();
        if (!keepIfBroken(rebuild.with(smallest, List.copyOf(fewer)))) {
          from += size;
        }
      }
    }
  }

  private interface Rebuild<T> {
    SimulationPlan with(SimulationPlan plan, List<T> fewer);
  }

  private void shrinkRules() {
    for (int i = 0; i < smallest.team().size(); i++) {
      int member = i;
      shrinkList(
          plan -> plan.team().get(member).rules(),
          (plan, rules) -> replace(plan, member, plan.team().get(member).with(rules)));
      for (int j = 0; j < smallest.team().get(member).rules().size(); j++) {
        int rule = j;
        shrinkList(
            plan -> plan.team().get(member).rules().get(rule).steps(),
            (plan, steps) -> {
              var rules = new ArrayList<>(plan.team().get(member).rules());
              rules.set(rule, new Rule(rules.get(rule).when(), steps));
              return replace(plan, member, plan.team().get(member).with(rules));
            });
      }
    }
  }

  private static SimulationPlan replace(SimulationPlan plan, int member, Member other) {
    var team = new ArrayList<>(plan.team());
    team.set(member, other);
    return plan.with(team, plan.acts());
  }

  /// An agent whose parent was removed becomes a root.
  private static List<Member> withoutOrphans(List<Member> team) {
    List<String> names = team.stream().map(Member::name).toList();
    return team.stream()
        .map(one ->
            one.parent() == null || names.contains(one.parent())
                ? one
                : new Member(one.name(), null, one.isExternal(), one.rules(), one.limits()))
        .toList();
  }

  private boolean keepIfBroken(SimulationPlan candidate) {
    if (candidate.team().isEmpty()) {
      return false;
    }
    for (int i = 0; i < ORDERS; i++) {
      tries++;
      SimulationPlan ordered = i == 0 ? candidate : candidate.ordered(i);
      Optional<String> broken = SimulationResult.of(ordered, sabotage, PATIENCE).law();
      if (broken.isPresent() && broken.get().equals(law)) {
        smallest = ordered;
        return true;
      }
    }
    return false;
  }
}
