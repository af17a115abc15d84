package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.shell.Plain;
import dev.substrat.cli.shell.Screen;
import dev.substrat.cli.shell.Style;
import dev.substrat.cli.wire.Json;
import java.util.List;
import java.util.stream.Collectors;

/// A plan as people and programs read it: `+` comes, `~` changes, `-` goes, `=` stays.
final class PlanPage {
  private static final int MOST_KEPT = 10;

  private final Plan plan;
  private final Screen screen;

  PlanPage(Plan plan, Screen screen) {
    this.plan = plan;
    this.screen = screen;
  }

  void print() {
    plan.steps().forEach(step -> screen.line(mark(step) + " " + line(step)));
    for (Step.Terminate step : plan.spared()) {
      screen.line(faint("- " + line(step) + " (only with --prune)"));
    }
    if (!plan.kept().isEmpty()) {
      screen.line(faint(Plain.line("= kept, although the file differs: " + keptWords())));
      screen.line(faint("  (--overwrite replaces what agents have changed)"));
    }
    if (plan.unchanged() > 0) {
      screen.line(faint("= unchanged " + plan.unchanged()));
    }
  }

  private String keptWords() {
    String some = plan.kept().stream().limit(MOST_KEPT).collect(Collectors.joining(", "));
    int more = plan.kept().size() - MOST_KEPT;
    return more > 0 ? "%s, and %d more".formatted(some, more) : some;
  }

  private String mark(Step step) {
    return switch (step) {
      case Step.Create _, Step.CreateSpace _ -> Style.GOOD.paint("+", screen.hasColours());
      case Step.Update _, Step.UpdateSpace _ -> Style.DOUBTFUL.paint("~", screen.hasColours());
      case Step.Terminate _ -> Style.BAD.paint("-", screen.hasColours());
      case Step.Write write ->
          switch (write.change()) {
            case CREATE -> Style.GOOD.paint("+", screen.hasColours());
            case UPDATE -> Style.DOUBTFUL.paint("~", screen.hasColours());
            case DELETE -> Style.BAD.paint("-", screen.hasColours());
          };
    };
  }

  private static String line(Step step) {
    return Plain.line(
        step.words()
            + switch (step) {
              case Step.Create create -> under(create.place());
              case Step.Update update -> ": " + String.join(", ", update.changed());
              case Step.Write write -> write.detail().isEmpty() ? "" : ": " + write.detail();
              case Step.CreateSpace create -> with(create.space().members());
              case Step.UpdateSpace update ->
                  ": "
                      + String.join(", ", update.changed())
                      + (update.newcomers().isEmpty()
                          ? ""
                          : " (+ " + String.join(", ", update.newcomers()) + ")");
              case Step.Terminate end ->
                  (end.agent().spawned() ? " (spawned by " + end.parent() + ")" : "")
                      + (end.below().isEmpty() ? "" : ", and with it " + handles(end.below()));
            });
  }

  private static String with(List<String> members) {
    return members.isEmpty() ? "" : " with " + String.join(", ", members);
  }

  private static String under(Place place) {
    String parent = parent(place);
    return parent.isEmpty() ? "" : " under " + parent;
  }

  private static String parent(Place place) {
    return switch (place) {
      case Place.Top _ -> "";
      case Place.Under(var parent) -> parent.handle();
      case Place.UnderNew(var parent) -> parent.handle();
    };
  }

  private static String handles(List<Living> agents) {
    return agents.stream().map(Living::handle).collect(Collectors.joining(", "));
  }

  private String faint(String text) {
    return Style.FAINT.paint(text, screen.hasColours());
  }

  /// The first `done` steps have been done.
  ObjectNode json(int done) {
    var json = Json.object();
    var steps = json.putArray("steps");
    for (Step step : plan.steps()) {
      steps.add(json(step).put("done", steps.size() < done));
    }
    var undeclared = json.putArray("undeclared");
    plan.spared().forEach(step -> undeclared.add(step.handle()));
    plan.kept().forEach(json.putArray("kept")::add);
    return json.put("unchanged", plan.unchanged()).put("complete", done == plan.steps().size());
  }

  private static ObjectNode json(Step step) {
    var json = Json.object().put("action", step.verb());
    String key = step.isAboutSpace() ? "space" : "handle";
    json.put(step instanceof Step.Write write ? write.kind().key() : key, step.handle());
    switch (step) {
      case Step.Create create -> {
        String parent = parent(create.place());
        if (!parent.isEmpty()) {
          json.put("parent", parent);
        }
      }
      case Step.Update update -> update.changed().forEach(json.putArray("changed")::add);
      case Step.CreateSpace _ -> {}
      case Step.Write write -> {
        if (write.agent() != null) {
          json.put("agent", write.agent());
        }
        if (!write.detail().isEmpty()) {
          json.put("detail", write.detail());
        }
      }
      case Step.UpdateSpace update -> update.changed().forEach(json.putArray("changed")::add);
      case Step.Terminate end ->
          end.below().forEach(one -> json.withArrayProperty("alsoEnds").add(one.handle()));
    }
    return json;
  }
}
