package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One step of an apply plan.
sealed interface PlanStep {

  /// Create an agent with this handle.
  record Create(DeclaredAgent agent, TreePosition place, String handle) implements PlanStep {}

  /// Update the configuration of an agent; `changed` has the keys.
  record Update(DeclaredAgent agent, LiveAgent living, List<String> changed) implements PlanStep {}

  /// Terminate an agent and its descendants, none of which the file declares.
  record Terminate(LiveAgent agent, String parent, List<LiveAgent> below) implements PlanStep {}

  /// Create a space.
  record CreateSpace(DeclaredSpace space) implements PlanStep {}

  /// Update these keys of a space and add missing members.
  record UpdateSpace(DeclaredSpace space, String id, List<String> changed, List<String> newcomers)
      implements PlanStep {}

  /// Requests for a person, a shared block, or an agent's memory, goals and plans. `name`
  /// identifies the object within its kind; `agent` is the declared handle of its owner.
  record Write(
      Verb change,
      Kind kind,
      @Nullable String agent,
      String name,
      String detail,
      List<Request> requests)
      implements PlanStep {

    /// Kind of the written object, and its key in JSON.
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

  /// A request. With an agent, `path` is relative to the agent's path, which may not be known yet.
  /// Handles in `agent` and in `agents` of the body are those of the file.
  record Request(String method, @Nullable String agent, String path, @Nullable JsonNode body) {
    static Request restore(String agent, JsonNode body) {
      return new Request("POST", agent, "/restore", body);
    }
  }

  /// Name of the object.
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

  /// The verb.
  default String verb() {
    return switch (this) {
      case Create _, CreateSpace _ -> "create";
      case Update _, UpdateSpace _ -> "update";
      case Terminate _ -> "terminate";
      case Write write -> write.change().name().toLowerCase(Locale.ROOT);
    };
  }

  /// The verb in past tense.
  default String pastVerb() {
    return verb() + "d";
  }

  default boolean isAboutSpace() {
    return this instanceof CreateSpace || this instanceof UpdateSpace;
  }

  default String description() {
    return verb() + " " + subject(handle());
  }

  /// Kind and name; for an agent only its handle.
  default String subject(String name) {
    return this instanceof Write write ? write.subject() : (isAboutSpace() ? "space " : "") + name;
  }
}
