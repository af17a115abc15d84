package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One thing to do for a declared team.
sealed interface PlanStep {

  /// Make an agent; it will get this handle.
  record Create(DeclaredAgent agent, TreePosition place, String handle) implements PlanStep {}

  /// Give an agent another configuration; these keys are different.
  record Update(DeclaredAgent agent, LiveAgent living, List<String> changed) implements PlanStep {}

  /// End an agent and with it everyone below, none of whom the file declares.
  record Terminate(LiveAgent agent, String parent, List<LiveAgent> below) implements PlanStep {}

  /// Make a space.
  record CreateSpace(DeclaredSpace space) implements PlanStep {}

  /// Give a space what the file says about these keys, and bring those in who are missing.
  record UpdateSpace(DeclaredSpace space, String id, List<String> changed, List<String> newcomers)
      implements PlanStep {}

  /// Send requests about something else: a person, a shared block, or what an agent keeps. `name`
  /// identifies it for its kind, `detail` tells more; `agent` is the declared handle of its owner.
  record Write(
      Verb change,
      Kind kind,
      @Nullable String agent,
      String name,
      String detail,
      List<Request> requests)
      implements PlanStep {

    /// What a write is about, and its key in JSON.
    enum Kind {
      PERSON("person", "person"),
      SHARED_BLOCK("shared block", "sharedBlock"),
      MEMORY("memory", "memory"),
      GOAL("goal", "goal"),
      PLAN("plan", "plan");

      private final String words;
      private final String key;

      Kind(String words, String key) {
        this.words = words;
        this.key = key;
      }

      String key() {
        return key;
      }
    }

    enum Verb {
      CREATE,
      UPDATE,
      DELETE
    }

    String subject() {
      return kind.words + (agent == null ? " " + name : " of " + agent);
    }
  }

  /// A request; with an agent, `path` stands below the agent's own, which may not be known yet.
  /// Handles in `agent` and `agents` of the body are those of the file, too.
  record Request(String method, @Nullable String agent, String path, @Nullable JsonNode body) {
    static Request restore(String agent, JsonNode body) {
      return new Request("POST", agent, "/restore", body);
    }
  }

  /// Whom or what it is about.
  default String handle() {
    return switch (this) {
      case CreateSpace create -> create.space().id();
      case UpdateSpace update -> update.id();
      case Create create -> create.handle();
      case Update update -> update.living().handle();
      case Terminate end -> end.agent().handle();
      case Write write -> write.name();
    };
  }

  /// What it does, in one word.
  default String verb() {
    return switch (this) {
      case Create _, CreateSpace _ -> "create";
      case Update _, UpdateSpace _ -> "update";
      case Terminate _ -> "terminate";
      case Write write -> write.change().name().toLowerCase(Locale.ROOT);
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
    return verb() + " " + subject(handle());
  }

  /// Its kind and its name; an agent is just called by its handle.
  default String subject(String name) {
    return this instanceof Write write ? write.subject() : (isAboutSpace() ? "space " : "") + name;
  }
}
