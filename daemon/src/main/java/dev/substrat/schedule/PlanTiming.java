package dev.substrat.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/// Timing of a plan.
sealed interface PlanTiming {

  /// The first time, if the plan is created now.
  Optional<Instant> first(Instant now);

  /// The times after the first, for callers that need several: parsing a cron expression takes
  /// longer than computing one time.
  Times again();

  /// The next time after a given one.
  @FunctionalInterface
  interface Times {
    /// The first after `after`; empty if there is none.
    Optional<Instant> next(Instant after);
  }

  /// Again and again.
  record Recurring(String cron, ZoneId zone) implements PlanTiming {
    @Override
    public Optional<Instant> first(Instant now) {
      return again().next(now);
    }

    @Override
    public Times again() {
      return CronSchedule.parse(cron, zone)::next;
    }
  }

  /// Once.
  record Once(Instant at) implements PlanTiming {
    static Once of(Instant at) {
      return new Once(Instant.ofEpochMilli(at.toEpochMilli()));
    }

    @Override
    public Optional<Instant> first(Instant now) {
      return Optional.of(at);
    }

    @Override
    public Times again() {
      return _ -> Optional.empty();
    }
  }
}
