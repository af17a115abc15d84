package dev.substrat.simulation;

import dev.substrat.simulation.Plan.Member;
import dev.substrat.simulation.Plan.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Finds a small plan that breaks the same law: leaves out whatever can be left out, acts, agents,
/// rules and steps, until nothing more can.
///
/// Leaving something out changes who goes first from then on, so each candidate is tried in a few
/// orders.
final class Shrinker {
  private static final int ORDERS = 5;

  /// A small team that has not come to rest by then hardly ever will; in the end it is asked again.
  private static final int PATIENCE = 1_500;

  /// Enough for every history seen so far; a shrinker that never ends helps nobody.
  private static final int MOST_TRIES = 3_000;

  private final Sabotage sabotage;
  private final String law;
  private Plan smallest;
  private int tries;

  private Shrinker(History failed, Sabotage sabotage) {
    this.smallest = failed.plan();
    this.law = failed.law().orElseThrow();
    this.sabotage = sabotage;
  }

  static History shrink(History failed, Sabotage sabotage) {
    var shrinker = new Shrinker(failed, sabotage);
    while (shrinker.shrinkOnce() && shrinker.tries < MOST_TRIES) {
      // Once more: what could not go before may go now.
    }
    History told = History.told(shrinker.smallest, sabotage, World.MOST_STEPS);
    return told.law().equals(failed.law())
        ? told
        : History.told(failed.plan(), sabotage, World.MOST_STEPS);
  }

  private boolean shrinkOnce() {
    Plan before = smallest;
    shrinkList(Plan::acts, (plan, acts) -> plan.with(plan.team(), acts));
    shrinkList(Plan::team, (plan, team) -> plan.with(withoutOrphans(team), plan.acts()));
    shrinkRules();
    if (smallest.daemons() > 1) {
      keepIfBroken(smallest.on(1));
    }
    return !smallest.equals(before);
  }

  /// Leaves out halves, quarters and so on, down to single ones.
  private <T> void shrinkList(Function<Plan, List<T>> list, Rebuild<T> rebuild) {
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
    Plan with(Plan plan, List<T> fewer);
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

  private static Plan replace(Plan plan, int member, Member other) {
    var team = new ArrayList<>(plan.team());
    team.set(member, other);
    return plan.with(team, plan.acts());
  }

  /// Whoever has lost their parent becomes a root.
  private static List<Member> withoutOrphans(List<Member> team) {
    List<String> names = team.stream().map(Member::name).toList();
    return team.stream()
        .map(one ->
            one.parent() == null || names.contains(one.parent())
                ? one
                : new Member(one.name(), null, one.isExternal(), one.rules(), one.limits()))
        .toList();
  }

  private boolean keepIfBroken(Plan candidate) {
    if (candidate.team().isEmpty()) {
      return false;
    }
    for (int i = 0; i < ORDERS; i++) {
      tries++;
      Plan ordered = i == 0 ? candidate : candidate.ordered(i);
      Optional<String> broken = History.of(ordered, sabotage, PATIENCE).law();
      if (broken.isPresent() && broken.get().equals(law)) {
        smallest = ordered;
        return true;
      }
    }
    return false;
  }
}
