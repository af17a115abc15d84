package dev.substrat.goal;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/// When a plan is due.
sealed interface Timing {

  /// When it is due first, if it is set now.
  Optional<Instant> first(Instant now);

  /// When it is due again after `after`; empty if it is not.
  Optional<Instant> next(Instant after);

  /// Again and again.
  record Recurring(String cron, ZoneId zone) implements Timing {
    @Override
    public Optional<Instant> first(Instant now) {
      return next(now);
    }

    @Override
    public Optional<Instant> next(Instant after) {
      return CronTimes.parse(cron, zone).next(after);
    }
  }

  /// Once.
  record Once(Instant at) implements Timing {
    static Once exactAsStored(Instant at) {
      return new Once(Instant.ofEpochMilli(at.toEpochMilli()));
    }

    @Override
    public Optional<Instant> first(Instant now) {
      return Optional.of(at);
    }

    @Override
    public Optional<Instant> next(Instant after) {
      return Optional.empty();
    }
  }
}
