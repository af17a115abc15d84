package dev.substrat.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/// When a plan is due.
sealed interface PlanTiming {

  /// When it is due first, if it is set now.
  Optional<Instant> first(Instant now);

  /// The times after the first, for callers that need several: parsing a cron expression takes
  /// longer than computing one time.
  Times again();

  /// One time after another.
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
