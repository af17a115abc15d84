package dev.substrat.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Input of a simulation except for the order of threads, which follows from `order`, the seed of
/// the scheduler.
record SimulationPlan(
    int slots, int daemons, List<Member> team, List<ExternalAction> acts, long order) {

  /// An agent that exists from the start. An agent without rules is external.
  record Member(
      String name,
      @Nullable String parent,
      boolean isExternal,
      List<Rule> rules,
      @Nullable ObjectNode limits) {

    ObjectNode config() {
      var config = Json.object().put("name", name);
      config.putArray("toolsets").add("team").add("channels").add("goals");
      if (parent != null) {
        config.put("parent", parent);
      }
      if (limits != null) {
        config.set("limits", limits);
      }
      var provider = config.putObject("provider");
      provider.put("name", isExternal ? "external" : "scripted");
      if (!isExternal) {
        var playbook = provider.putArray("playbook");
        rules.forEach(rule -> playbook.add(rule.json()));
      }
      return config;
    }

    Member with(List<Rule> fewer) {
      return new Member(name, parent, isExternal, fewer, limits);
    }
  }

  /// One line of a playbook.
  record Rule(ObjectNode when, List<ObjectNode> steps) {
    ObjectNode json() {
      var rule = Json.object();
      rule.set("when", when);
      rule.set("do", Json.tree(steps));
      return rule;
    }
  }

  SimulationPlan with(List<Member> others, List<ExternalAction> fewer) {
    return new SimulationPlan(slots, daemons, others, fewer, order);
  }

  SimulationPlan ordered(long other) {
    return new SimulationPlan(slots, daemons, team, acts, other);
  }

  SimulationPlan on(int fewer) {
    return new SimulationPlan(slots, fewer, team, acts, order);
  }
}
