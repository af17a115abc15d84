package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.cli.terminal.TextStyle;
import java.util.List;
import java.util.stream.Collectors;

/// Prints a plan as text or JSON: `+` create, `~` update, `-` delete, `=` unchanged.
record ApplyPlanPrinter(ApplyPlan plan, Terminal screen) {
  private static final int MAX_ENTRIES = 10;

  void print() {
    plan.steps().forEach(step -> screen.line(mark(step) + " " + line(step)));
    for (PlanStep.TerminateAgentStep step : plan.keptUndeclared()) {
      screen.line(faint("- " + line(step) + " (only with --prune)"));
    }
    if (!plan.kept().isEmpty()) {
      screen.line(
          faint(
              TerminalText.line(
                  "= not changed, although different from the file: " + keptWords())));
      screen.line(faint("  (to replace them, use --overwrite)"));
    }
    if (plan.unchanged() > 0) {
      screen.line(faint("= unchanged " + plan.unchanged()));
    }
  }

  private String keptWords() {
    String some = plan.kept().stream().limit(MAX_ENTRIES).collect(Collectors.joining(", "));
    int more = plan.kept().size() - MAX_ENTRIES;
    return more > 0 ? "%s, and %d more".formatted(some, more) : some;
  }

  private String mark(PlanStep step) {
    return switch (step) {
      case PlanStep.CreateAgentStep _, PlanStep.CreateSpaceStep _ ->
          TextStyle.GOOD.paint("+", screen.hasColours());
      case PlanStep.UpdateAgentStep _, PlanStep.UpdateSpaceStep _ ->
          TextStyle.DOUBTFUL.paint("~", screen.hasColours());
      case PlanStep.TerminateAgentStep _ -> TextStyle.BAD.paint("-", screen.hasColours());
      case PlanStep.WriteRequestsStep write ->
          switch (write.change()) {
            case CREATE -> TextStyle.GOOD.paint("+", screen.hasColours());
            case UPDATE -> TextStyle.DOUBTFUL.paint("~", screen.hasColours());
            case DELETE -> TextStyle.BAD.paint("-", screen.hasColours());
          };
    };
  }

  private static String line(PlanStep step) {
    return TerminalText.line(
        step.description()
            + switch (step) {
              case PlanStep.CreateAgentStep create -> under(create.place());
              case PlanStep.UpdateAgentStep update -> ": " + String.join(", ", update.changed());
              case PlanStep.WriteRequestsStep write ->
                  write.detail().isEmpty() ? "" : ": " + write.detail();
              case PlanStep.CreateSpaceStep create -> with(create.space().members());
              case PlanStep.UpdateSpaceStep update ->
                  ": "
                      + String.join(", ", update.changed())
                      + (update.newcomers().isEmpty()
                          ? ""
                          : " (+ " + String.join(", ", update.newcomers()) + ")");
              case PlanStep.TerminateAgentStep end ->
                  (end.agent().spawned() ? " (spawned by " + end.parent() + ")" : "")
                      + (end.below().isEmpty() ? "" : ", with descendants " + handles(end.below()));
            });
  }

  private static String with(List<String> members) {
    return members.isEmpty() ? "" : " with " + String.join(", ", members);
  }

  private static String under(TreePosition place) {
    String parent = parent(place);
    return parent.isEmpty() ? "" : " under " + parent;
  }

  private static String parent(TreePosition place) {
    return switch (place) {
      case TreePosition.RootPosition _ -> "";
      case TreePosition.ExistingParent(var parent) -> parent.handle();
      case TreePosition.PlannedParent(var parent) -> parent.handle();
    };
  }

  private static String handles(List<LiveAgent> agents) {
    return agents.stream().map(LiveAgent::handle).collect(Collectors.joining(", "));
  }

  private String faint(String text) {
    return TextStyle.FAINT.paint(text, screen.hasColours());
  }

  /// `done` is the number of executed steps.
  ObjectNode json(int done) {
    var json = JsonTree.object();
    var steps = json.putArray("steps");
    for (PlanStep step : plan.steps()) {
      steps.add(json(step).put("done", steps.size() < done));
    }
    var undeclared = json.putArray("undeclared");
    plan.keptUndeclared().forEach(step -> undeclared.add(step.handle()));
    plan.kept().forEach(json.putArray("kept")::add);
    return json.put("unchanged", plan.unchanged()).put("complete", done == plan.steps().size());
  }

  private static ObjectNode json(PlanStep step) {
    var json = JsonTree.object().put("action", step.verb());
    String key = step.isAboutSpace() ? "space" : "handle";
    json.put(
        step instanceof PlanStep.WriteRequestsStep write ? write.kind().key() : key, step.handle());
    switch (step) {
      case PlanStep.CreateAgentStep create -> {
        String parent = parent(create.place());
        if (!parent.isEmpty()) {
          json.put("parent", parent);
        }
      }
      case PlanStep.UpdateAgentStep update ->
          update.changed().forEach(json.putArray("changed")::add);
      case PlanStep.CreateSpaceStep _ -> {}
      case PlanStep.WriteRequestsStep write -> {
        if (write.agent() != null) {
          json.put("agent", write.agent());
        }
        if (!write.detail().isEmpty()) {
          json.put("detail", write.detail());
        }
      }
      case PlanStep.UpdateSpaceStep update ->
          update.changed().forEach(json.putArray("changed")::add);
      case PlanStep.TerminateAgentStep end ->
          end.below().forEach(one -> json.withArrayProperty("alsoEnds").add(one.handle()));
    }
    return json;
  }
}
