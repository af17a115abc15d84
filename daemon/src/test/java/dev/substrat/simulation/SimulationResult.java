package dev.substrat.simulation;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Result of a simulation: its number of steps, and the violated invariant, if any.
record SimulationResult(
    SimulationPlan plan, int steps, @Nullable InvariantViolation broken, List<String> story) {

  /// Run for so many steps at most: the team may never become idle.
  static SimulationResult of(SimulationPlan plan, InjectedBug sabotage, int steps) {
    return play(plan, sabotage, SimulationLog.untold(), steps);
  }

  static SimulationResult told(SimulationPlan plan, InjectedBug sabotage, int steps) {
    return play(plan, sabotage, SimulationLog.readable(), steps);
  }

  static SimulationResult detailed(SimulationPlan plan) {
    return play(plan, InjectedBug.NONE, SimulationLog.detailed(), Simulation.MOST_STEPS);
  }

  /// The situations it gets into.
  static Set<String> corners(SimulationPlan plan) {
    try (var world =
        new Simulation(plan, InjectedBug.NONE, SimulationLog.untold(), Simulation.MOST_STEPS)) {
      world.play();
      return world.corners();
    }
  }

  private static SimulationResult play(
      SimulationPlan plan, InjectedBug sabotage, SimulationLog story, int steps) {
    try (var world = new Simulation(plan, sabotage, story, steps)) {
      try {
        world.play();
        return new SimulationResult(plan, world.steps(), null, story.lines());
      } catch (InvariantViolation broken) {
        return new SimulationResult(plan, world.steps(), broken, story.lines());
      }
    }
  }

  Optional<String> law() {
    return broken == null ? Optional.empty() : Optional.of(broken.law());
  }
}
