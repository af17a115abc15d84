package dev.substrat.schedule;

import dev.substrat.protocol.Fault;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Parses and validates the timing fields of a plan. Errors name the field.
final class PlanTimingParser {
  /// Time that a model may take between choosing a time and sending it.
  static final Duration GRACE = Duration.ofMinutes(1);

  static final Duration LONGEST = Duration.ofDays(3_660);

  /// By the name people write, so that a plan says what it means.
  private static final ZoneId UTC = ZoneId.of("UTC");

  private static final String EXACTLY_ONE = "needs exactly one of cron, scheduledAt, runAfter";

  /// Finding the next time takes as long as it is.
  private static final int LONGEST_CRON = 200;

  private PlanTimingParser() {}

  /// What `draft` says; `before` is how it was, if it was.
  static PlanTiming of(
      Plan.Draft draft, @Nullable PlanTiming before, InputPointer place, Instant now) {
    long said =
        Stream.of(draft.cron(), draft.scheduledAt(), draft.runAfter())
            .filter(Objects::nonNull)
            .count();
    if (said > 1) {
      throw place.wrong(EXACTLY_ONE, "omit all but one of them");
    }
    if (draft.cron() != null) {
      if (draft.cron().length() > LONGEST_CRON) {
        throw place
            .in("cron")
            .wrong(
                "must have at most " + LONGEST_CRON + " characters", "split it into several plans");
      }
      return new PlanTiming.Recurring(
          draft.cron().strip().replaceAll("\\s+", " "), zone(draft, place, before));
    }
    if (draft.scheduledAt() != null) {
      return requireAhead(once(draft, place, now), place.in("scheduledAt"), now);
    }
    if (draft.runAfter() != null) {
      refuseZone(draft, place);
      return after(draft.runAfter(), place.in("runAfter"), now);
    }
    return unchanged(draft, before, place);
  }

  /// When it is due first, if it is set now. Of a cron that takes a while to find out, and only
  /// then it is known whether it is one.
  static Instant first(PlanTiming timing, InputPointer place, Instant now) {
    InputPointer cron = place.in("cron");
    try {
      return timing
          .first(now)
          .orElseThrow(() -> cron.wrong("never matches a date", "check day and month"));
    } catch (IllegalArgumentException e) {
      throw cron.wrong(
          "is not a cron expression: " + e.getMessage(),
          "use five fields: minute hour day month weekday, for example 0 9 * * MON-FRI");
    }
  }

  private static PlanTiming unchanged(
      Plan.Draft draft, @Nullable PlanTiming before, InputPointer place) {
    return switch (before) {
      case null -> throw place.wrong(EXACTLY_ONE, "for example \"cron\":\"0 9 * * *\"");
      case PlanTiming.Once once -> {
        refuseZone(draft, place);
        yield once;
      }
      case PlanTiming.Recurring recurring ->
          new PlanTiming.Recurring(recurring.cron(), zone(draft, place, before));
    };
  }

  /// A cron expression keeps its zone unless another is given.
  private static ZoneId zone(Plan.Draft draft, InputPointer place, @Nullable PlanTiming before) {
    if (draft.timezone() != null) {
      return zone(draft.timezone(), place);
    }
    return before instanceof PlanTiming.Recurring recurring ? recurring.zone() : UTC;
  }

  private static ZoneId zone(String timezone, InputPointer place) {
    try {
      return ZoneId.of(timezone);
    } catch (DateTimeException _) {
      throw place
          .in("timezone")
          .wrong("is not a time zone: " + timezone, "for example Europe/Berlin, or UTC");
    }
  }

  private static void refuseZone(Plan.Draft draft, InputPointer place) {
    if (draft.timezone() != null) {
      throw place
          .in("timezone")
          .wrong(
              "is not allowed here", "use it with cron, or with a scheduledAt that has no offset");
    }
  }

  /// What a plan says that was set before: its time may have passed.
  static PlanTiming ofSaved(Plan.Draft draft, InputPointer place, Instant now) {
    boolean isOnce =
        draft.scheduledAt() != null && draft.cron() == null && draft.runAfter() == null;
    return isOnce ? once(draft, place, now) : of(draft, null, place, now);
  }

  private static PlanTiming.Once once(Plan.Draft draft, InputPointer place, Instant now) {
    InputPointer at = place.in("scheduledAt");
    String text = Objects.requireNonNull(draft.scheduledAt()).strip();
    // A time that has an offset is complete: a zone beside it changes nothing.
    boolean isLocal = draft.timezone() != null && !hasOffset(text);
    Instant time = isLocal ? shown(draft, text, place) : offset(text, at);
    requireSoon(time, at, now);
    return PlanTiming.Once.of(time);
  }

  private static PlanTiming requireAhead(PlanTiming.Once timing, InputPointer place, Instant now) {
    if (timing.at().isBefore(now.minus(GRACE))) {
      throw place.wrong(
          "is in the past; the current time is " + now, "give a later time, or runAfter");
    }
    return timing;
  }

  private static boolean hasOffset(String text) {
    try {
      OffsetDateTime.parse(text);
      return true;
    } catch (DateTimeException _) {
      return false;
    }
  }

  private static Instant offset(String text, InputPointer at) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException _) {
      throw at.wrong(
          "is not a time with an offset: " + text,
          "for example 2026-03-01T08:00:00Z; or add a timezone");
    }
  }

  /// What the clocks of a zone show. A time that says its offset needs no zone.
  private static Instant shown(Plan.Draft draft, String text, InputPointer place) {
    ZoneId zone = zone(Objects.requireNonNull(draft.timezone()), place);
    try {
      return ZonedTime.instant(LocalDateTime.parse(text), zone);
    } catch (DateTimeException _) {
      InputPointer at = place.in("scheduledAt");
      throw at.wrong(
          "is not a local time: " + text,
          "write 2026-03-01T08:00:00, or omit the timezone and add an offset");
    }
  }

  private static PlanTiming after(String text, InputPointer place, Instant now) {
    Duration wait =
        WaitDuration.parse(text)
            .filter(Duration::isPositive)
            .orElseThrow(() ->
                place.wrong(
                    "is not a duration: " + text, "for example 30 minutes, 2h, 1 day, PT10M"));
    if (wait.compareTo(LONGEST) > 0) {
      throw tooLate(place);
    }
    return PlanTiming.Once.of(now.plus(wait));
  }

  private static void requireSoon(Instant time, InputPointer place, Instant now) {
    if (time.isAfter(now.plus(LONGEST))) {
      throw tooLate(place);
    }
  }

  private static Fault tooLate(InputPointer place) {
    return place.wrong("is more than ten years in the future", "choose an earlier time");
  }
}
