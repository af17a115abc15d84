package dev.substrat.schedule;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.substrat.platform.identity.PlanId;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An instruction that an agent gets at a time (`scheduledAt`), or repeatedly (`cron`, in the time
/// zone `timezone`).
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Plan(
    String id,
    String name,
    String instruction,
    @Nullable String cron,
    @Nullable String timezone,
    @Nullable Instant scheduledAt,
    PlanStatus status,
    @Nullable Instant nextRunAt,
    @Nullable Instant lastRunAt,
    long runs) {

  /// Whether it will come.
  public enum PlanStatus {
    /// Due at `nextRunAt`.
    ACTIVE,
    /// It was due for the last time.
    DONE,
    /// It is no longer due, because its agent was terminated or its next time cannot be computed.
    ENDED;

    @JsonValue
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// An empty new plan with a new id.
  static Plan blank(PlanTiming timing, Instant first) {
    return new Plan(
            PlanId.random().value(), "", "", null, null, null, PlanStatus.ACTIVE, null, null, 0)
        .at(timing, first);
  }

  /// The same at other times, from `first` on.
  Plan at(PlanTiming timing, Instant first) {
    PlanTiming.@Nullable RecurringTiming again =
        timing instanceof PlanTiming.RecurringTiming one ? one : null;
    return new Plan(
        id,
        name,
        instruction,
        again == null ? null : again.cron(),
        again == null ? null : again.zone().getId(),
        timing instanceof PlanTiming.OneTimeTiming once ? once.at() : null,
        PlanStatus.ACTIVE,
        first,
        lastRunAt,
        runs);
  }

  /// The same, without another run to come.
  Plan ended(PlanStatus end) {
    return new Plan(id, name, instruction, cron, timezone, scheduledAt, end, null, lastRunAt, runs);
  }

  /// The same with the texts of `draft`.
  Plan withTexts(PlanDraft draft) {
    return new Plan(
        id,
        draft.name() == null ? name : draft.name(),
        draft.instruction() == null ? instruction : draft.instruction(),
        cron,
        timezone,
        scheduledAt,
        status,
        nextRunAt,
        lastRunAt,
        runs);
  }

  /// Throws a `DateTimeException` if this Java has not heard of the zone.
  PlanTiming timing() {
    return cron == null || timezone == null
        ? new PlanTiming.OneTimeTiming(Objects.requireNonNull(scheduledAt))
        : new PlanTiming.RecurringTiming(cron, ZoneId.of(timezone));
  }

  /// A plan as it stood somewhere else: it may have run for the last time.
  public record SavedPlan(
      @JsonPropertyDescription("Short name.") String name,
      @JsonPropertyDescription("Instruction for the agent, given when the plan is due.")
          String instruction,
      @JsonPropertyDescription(
              "Cron schedule: minute hour day month weekday, for example 0 9 * * MON-FRI.")
          @Nullable String cron,
      @JsonPropertyDescription(
              "Run once at this time (ISO 8601), for example 2026-03-01T08:00:00Z. An active plan"
                  + " with a time in the past is due immediately.")
          @Nullable String scheduledAt,
      @JsonPropertyDescription("Run once after this delay: 30 minutes, 2h, 1 day, PT10M.")
          @Nullable String runAfter,
      @JsonPropertyDescription(
              "Time zone of cron (default UTC) or of a scheduledAt without offset, for example"
                  + " Europe/Berlin.")
          @Nullable String timezone,
      @JsonPropertyDescription("Status: active (default), done or ended.")
          @Nullable PlanStatus status) {

    PlanDraft draft() {
      return new PlanDraft(null, name, instruction, cron, scheduledAt, runAfter, timezone);
    }
  }

  /// A new plan, or a partial update of an existing one.
  public record PlanDraft(
      @JsonPropertyDescription("Id of the plan to change. Omit for a new plan.")
          @Nullable String id,
      @JsonPropertyDescription("Name. Required for a new plan.") @Nullable String name,
      @JsonPropertyDescription("What to do when the plan is due. Required for a new plan.")
          @Nullable String instruction,
      @JsonPropertyDescription("Cron schedule, for example 0 9 * * MON-FRI.") @Nullable String cron,
      @JsonPropertyDescription(
              "Run once at this time (ISO 8601), for example 2026-03-01T08:00:00Z.")
          @Nullable String scheduledAt,
      @JsonPropertyDescription("Run once after this delay: 30 minutes, 2h, 1 day, PT10M.")
          @Nullable String runAfter,
      @JsonPropertyDescription(
              "Time zone of cron (default: UTC) or of a scheduledAt without offset, for example"
                  + " Europe/Berlin.")
          @Nullable String timezone) {}
}
