package dev.substrat.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/// Report of a violated invariant: the smallest team and the fewest failures that reproduce it,
/// what happened, and how to run it again.
final class ViolationReport {
  private static final int LONGEST = 60;

  private ViolationReport() {}

  static String of(SimulationResult failed, SimulationResult small) {
    var text = new StringJoiner("\n");
    text.add(
        "seed " + failed.plan().order() + " violates an invariant: " + failed.law().orElseThrow());
    text.add("");
    text.add("The smallest team that violates it, on " + small.plan().daemons() + " daemon(s):");
    small.plan().team().forEach(member -> text.add("  " + member.config()));
    text.add("Actions from outside:");
    small.plan().acts().forEach(act -> text.add("  " + act));
    text.add("Events (step, event):");
    shortened(small.story()).forEach(text::add);
    text.add("  ⇒ " + (small.broken() == null ? "nothing" : small.broken().getMessage()));
    text.add("");
    text.add(
        "Again: ./verify -pl protocol,console,testkit,daemon -Dtest=SimulationTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dsubstrat.seed="
            + failed.plan().order());
    return text.toString();
  }

  /// An endless history is shown only until its repetition is clear.
  private static List<String> shortened(List<String> story) {
    if (story.size() <= LONGEST) {
      return story;
    }
    var lines = new ArrayList<>(story.subList(0, LONGEST));
    lines.add("       … and " + (story.size() - LONGEST) + " lines more");
    return lines;
  }
}
