package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One step of an apply plan.
sealed interface PlanStep {

  /// Create an agent with this handle.
  record CreateAgentStep(DeclaredAgent agent, TreePosition place, String handle)
      implements PlanStep {}

  /// Update the configuration of an agent; `changed` has the keys.
  record UpdateAgentStep(DeclaredAgent agent, LiveAgent living, List<String> changed)
      implements PlanStep {}

  /// Terminate an agent and its descendants, none of which the file declares.
  record TerminateAgentStep(LiveAgent agent, String parent, List<LiveAgent> below)
      implements PlanStep {}

  /// Create a space.
  record CreateSpaceStep(DeclaredSpace space) implements PlanStep {}

  /// Update these keys of a space and add missing members.
  record UpdateSpaceStep(
      DeclaredSpace space, String id, List<String> changed, List<String> newcomers)
      implements PlanStep {}

  /// Requests for a person, a shared block, or an agent's memory, goals and plans. `name`
  /// identifies the object within its kind; `agent` is the declared handle of its owner.
  record WriteRequestsStep(
      WriteVerb change,
      WrittenObjectKind kind,
      @Nullable String agent,
      String name,
      String detail,
      List<PlannedRequest> requests)
      implements PlanStep {

    /// Kind of the written object, and its key in JSON.
    enum WrittenObjectKind {
      PERSON("person", "person"),
      SHARED_BLOCK("shared block", "sharedBlock"),
      MEMORY("memory", "memory"),
      GOAL("goal", "goal"),
      PLAN("plan", "plan");

      private final String words;
      private final String key;

      WrittenObjectKind(String words, String key) {
        this.words = words;
        this.key = key;
      }

      String key() {
        return key;
      }
    }

    enum WriteVerb {
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
  record PlannedRequest(
      String method, @Nullable String agent, String path, @Nullable JsonNode body) {
    static PlannedRequest restore(String agent, JsonNode body) {
      return new PlannedRequest("POST", agent, "/restore", body);
    }
  }

  /// Name of the object.
  default String handle() {
    return switch (this) {
      case CreateSpaceStep create -> create.space().id();
      case UpdateSpaceStep update -> update.id();
      case CreateAgentStep create -> create.handle();
      case UpdateAgentStep update -> update.living().handle();
      case TerminateAgentStep end -> end.agent().handle();
      case WriteRequestsStep write -> write.name();
    };
  }

  /// The verb.
  default String verb() {
    return switch (this) {
      case CreateAgentStep _, CreateSpaceStep _ -> "create";
      case UpdateAgentStep _, UpdateSpaceStep _ -> "update";
      case TerminateAgentStep _ -> "terminate";
      case WriteRequestsStep write -> write.change().name().toLowerCase(Locale.ROOT);
    };
  }

  /// The verb in past tense.
  default String pastVerb() {
    return verb() + "d";
  }

  default boolean isAboutSpace() {
    return this instanceof CreateSpaceStep || this instanceof UpdateSpaceStep;
  }

  default String description() {
    return verb() + " " + subject(handle());
  }

  /// Kind and name; for an agent only its handle.
  default String subject(String name) {
    return this instanceof WriteRequestsStep write
        ? write.subject()
        : (isAboutSpace() ? "space " : "") + name;
  }
}
