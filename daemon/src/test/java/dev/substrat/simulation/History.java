package dev.substrat.simulation;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What became of a plan: how long it took, and which law it broke, if any.
record History(Plan plan, int steps, @Nullable Broken broken, List<String> story) {

  /// Played for so many steps at most: it may never come to rest.
  static History of(Plan plan, Sabotage sabotage, int steps) {
    return play(plan, sabotage, Story.untold(), steps);
  }

  static History told(Plan plan, Sabotage sabotage, int steps) {
    return play(plan, sabotage, Story.readable(), steps);
  }

  static History detailed(Plan plan) {
    return play(plan, Sabotage.NONE, Story.detailed(), World.MOST_STEPS);
  }

  /// The situations it gets into.
  static Set<String> corners(Plan plan) {
    try (var world = new World(plan, Sabotage.NONE, Story.untold(), World.MOST_STEPS)) {
      world.play();
      return world.corners();
    }
  }

  private static History play(Plan plan, Sabotage sabotage, Story story, int steps) {
    try (var world = new World(plan, sabotage, story, steps)) {
      try {
        world.play();
        return new History(plan, world.steps(), null, story.lines());
      } catch (Broken broken) {
        return new History(plan, world.steps(), broken, story.lines());
      }
    }
  }

  Optional<String> law() {
    return broken == null ? Optional.empty() : Optional.of(broken.law());
  }
}
