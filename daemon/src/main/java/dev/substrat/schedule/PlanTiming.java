package dev.substrat.schedule;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;

/// Timing of a plan.
sealed interface PlanTiming {

  /// The first time, if the plan is created now.
  Optional<Instant> first(Instant now);

  /// The times after the first, for callers that need several: parsing a cron expression takes
  /// longer than computing one time.
  NextTimeFunction again();

  /// The next time after a given one.
  @FunctionalInterface
  interface NextTimeFunction {
    /// The first after `after`; empty if there is none.
    Optional<Instant> next(Instant after);
  }

  /// Again and again.
  record RecurringTiming(String cron, ZoneId zone) implements PlanTiming {
    @Override
    public Optional<Instant> first(Instant now) {
      return again().next(now);
    }

    @Override
    public NextTimeFunction again() {
      return CronSchedule.parse(cron, zone)::next;
    }
  }

  /// Once.
  record OneTimeTiming(Instant at) implements PlanTiming {
    static OneTimeTiming of(Instant at) {
      return new OneTimeTiming(Instant.ofEpochMilli(at.toEpochMilli()));
    }

    @Override
    public Optional<Instant> first(Instant now) {
      return Optional.of(at);
    }

    @Override
    public NextTimeFunction again() {
      return _ -> Optional.empty();
    }
  }

  /// Computes the next time of a cron expression with five fields, across daylight saving changes.
  ///
  /// The library computes local times only; [ZonedTimeConverter] converts them to instants. So each
  /// local time is due exactly once: not twice when clocks are set back, and not skipped when they
  /// are set forward.
  record CronSchedule(ExecutionTime shown, ZoneId zone) {

    private static final CronParser PARSER =
        new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    /// Throws an `IllegalArgumentException` with the problem of the expression.
    static CronSchedule parse(String cron, ZoneId zone) {
      return new CronSchedule(ExecutionTime.forCron(PARSER.parse(cron)), zone);
    }

    /// Empty if that day never comes, as the 30th of February.
    Optional<Instant> next(Instant after) {
      Optional<LocalDateTime> candidate = nextShown(LocalDateTime.ofInstant(after, zone));
      // A local time that occurs twice was already due the first time.
      while (candidate.isPresent()
          && !ZonedTimeConverter.instant(candidate.get(), zone).isAfter(after)) {
        candidate = nextShown(candidate.get());
      }
      return candidate.map(time -> ZonedTimeConverter.instant(time, zone));
    }

    private Optional<LocalDateTime> nextShown(LocalDateTime after) {
      return shown.nextExecution(after.atZone(ZoneOffset.UTC)).map(ZonedDateTime::toLocalDateTime);
    }
  }
}
