package dev.substrat.schedule;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A goal of an agent.
public record Goal(
    String id,
    String description,
    GoalPriority priority,
    GoalStatus status,
    Instant createdAt,
    Instant updatedAt) {

  /// Highest priority first.
  public enum GoalPriority {
    HIGH,
    MEDIUM,
    LOW;

    @JsonValue
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// State of the goal.
  public enum GoalStatus {
    ACTIVE,
    COMPLETED,
    ABANDONED;

    @JsonValue
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// A new goal, or a partial update of an existing one.
  public record GoalDraft(
      @JsonPropertyDescription("Id of the goal to change. Omit for a new goal.")
          @Nullable String id,
      @JsonPropertyDescription("Description. Required for a new goal.")
          @Nullable String description,
      @JsonPropertyDescription("Default for a new goal: medium.") @Nullable GoalPriority priority,
      @JsonPropertyDescription("Default for a new goal: active.") @Nullable GoalStatus status) {}

  /// The same with the changes of `draft`.
  Goal with(GoalDraft draft, Instant now) {
    return new Goal(
        id,
        draft.description() == null ? description : draft.description(),
        draft.priority() == null ? priority : draft.priority(),
        draft.status() == null ? status : draft.status(),
        createdAt,
        now);
  }
}
