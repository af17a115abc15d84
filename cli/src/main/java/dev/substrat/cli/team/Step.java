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

  /// Make a space.
  record CreateSpace(DeclaredSpace space) implements Step {}

  /// Give a space what the file says about these keys, and bring those in who are missing.
  record UpdateSpace(DeclaredSpace space, List<String> changed, List<String> newcomers)
      implements Step {}

  /// Whom or what it is about.
  default String handle() {
    return switch (this) {
      case CreateSpace create -> create.space().id();
      case UpdateSpace update -> update.space().id();
      case Create create -> create.handle();
      case Update update -> update.living().handle();
      case Terminate end -> end.agent().handle();
    };
  }

  /// What it does, in one word.
  default String verb() {
    return switch (this) {
      case Create _, CreateSpace _ -> "create";
      case Update _, UpdateSpace _ -> "update";
      case Terminate _ -> "terminate";
    };
  }

  /// The same, once it has happened.
  default String pastVerb() {
    return verb() + "d";
  }

  default boolean isAboutSpace() {
    return this instanceof CreateSpace || this instanceof UpdateSpace;
  }

  default String words() {
    return verb() + (isAboutSpace() ? " space " : " ") + handle();
  }
}
