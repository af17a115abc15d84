package dev.substrat.cli.team;

import java.util.List;

/// One thing to do for a declared team.
sealed interface Step {

  /// Make an agent; it will get this handle.
  record Create(Declared agent, Place place, String handle) implements Step {}

  /// Give an agent another configuration; these keys are different.
  record Update(Declared agent, Living living, List<String> changed) implements Step {}

  /// End an agent and with it everyone below, none of whom the file declares.
  record Terminate(Living agent, String parent, List<Living> below) implements Step {}

  /// Whom it is about.
  default String handle() {
    return switch (this) {
      case Create create -> create.handle();
      case Update update -> update.living().handle();
      case Terminate end -> end.agent().handle();
    };
  }

  /// What it does, in one word.
  default String verb() {
    return switch (this) {
      case Create _ -> "create";
      case Update _ -> "update";
      case Terminate _ -> "terminate";
    };
  }

  /// The same, once it has happened.
  default String pastVerb() {
    return verb() + "d";
  }

  default String words() {
    return verb() + " " + handle();
  }
}
