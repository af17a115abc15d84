package dev.substrat.catalog.template;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.memory.BrainEntries;
import dev.substrat.schedule.Goal;
import dev.substrat.schedule.Plan;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Memory, goals and plans of an agent in the form of a team file: without ids, versions and
/// authors, which belong to one daemon.
public record AgentSnapshot(
    @Nullable MemorySnapshot memory,
    @Nullable List<SavedGoal> goals,
    @Nullable List<Plan.SavedPlan> plans) {

  /// Memory of the agent. Shared blocks are not part of it, because they belong to no agent.
  public record MemorySnapshot(
      @Nullable List<SavedBlock> blocks,
      @Nullable List<SavedPassage> passages,
      @JsonPropertyDescription("Short values by key.") @Nullable Map<String, String> values,
      @JsonPropertyDescription("Brain entries with unique titles.")
          @Nullable List<BrainEntries.BrainEntryDraft> brain) {}

  public record SavedBlock(
      String label,
      String content,
      @JsonPropertyDescription("Purpose of the block, shown to the agent.")
          @Nullable String description,
      @JsonPropertyDescription("Maximum number of characters, up to 20000. Default: 4000.")
          @Nullable Integer limit,
      @JsonPropertyDescription("true: only people can write it. Default: false.")
          @Nullable Boolean readOnly) {}

  public record SavedPassage(
      String content,
      @JsonPropertyDescription("Tags of the passage.") @Nullable List<String> tags,
      @JsonPropertyDescription(
              "Time when the passage was first stored, for example 2026-03-01T08:00:00Z.")
          @Nullable String createdAt) {}

  public record SavedGoal(
      @JsonPropertyDescription("Goal to reach.") String description,
      @JsonPropertyDescription("Priority: high, medium (default) or low.")
          Goal.@Nullable GoalPriority priority,
      @JsonPropertyDescription("Status: active (default), completed or abandoned.")
          Goal.@Nullable GoalStatus status) {}

  List<SavedBlock> blocksOrNone() {
    return memory == null || memory.blocks() == null ? List.of() : memory.blocks();
  }

  List<SavedPassage> passagesOrNone() {
    return memory == null || memory.passages() == null ? List.of() : memory.passages();
  }

  Map<String, String> valuesOrNone() {
    return memory == null || memory.values() == null ? Map.of() : memory.values();
  }

  List<BrainEntries.BrainEntryDraft> brainOrNone() {
    return memory == null || memory.brain() == null ? List.of() : memory.brain();
  }

  List<Goal.GoalDraft> goalsOrNone() {
    List<SavedGoal> saved = goals == null ? List.of() : goals;
    return saved.stream()
        .map(goal -> new Goal.GoalDraft(null, goal.description(), goal.priority(), goal.status()))
        .toList();
  }

  List<Plan.SavedPlan> plansOrNone() {
    return plans == null ? List.of() : plans;
  }
}
