package dev.substrat.schedule;

import dev.substrat.protocol.Fault;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Parses and validates the timing fields of a plan. Errors name the field.
final class PlanTimingParser {
  private static final Pattern WORDS =
      Pattern.compile("(\\d{1,6}) ?(s|m|h|d|w|seconds?|minutes?|hours?|days?|weeks?)");

  /// Time that a model may take between choosing a time and sending it.
  static final Duration GRACE = Duration.ofMinutes(1);

  static final Duration MAX_DURATION = Duration.ofDays(3_660);

  /// With the name that people write, so that it is stored like this.
  private static final ZoneId UTC = ZoneId.of("UTC");

  private static final String EXACTLY_ONE = "needs exactly one of cron, scheduledAt, runAfter";

  /// Computing the next time takes longer for a longer expression.
  private static final int MAX_CRON_LENGTH = 200;

  private PlanTimingParser() {}

  /// Timing in `draft`; `before` is the earlier one, if the plan exists.
  static PlanTiming of(
      Plan.PlanDraft draft, @Nullable PlanTiming before, InputPointer place, Instant now) {
    long said =
        Stream.of(draft.cron(), draft.scheduledAt(), draft.runAfter())
            .filter(Objects::nonNull)
            .count();
    if (said > 1) {
      throw place.wrong(EXACTLY_ONE, "omit all but one of them");
    }
    if (draft.cron() != null) {
      if (draft.cron().length() > MAX_CRON_LENGTH) {
        throw place
            .in("cron")
            .wrong(
                "must have at most " + MAX_CRON_LENGTH + " characters",
                "split it into several plans");
      }
      return new PlanTiming.RecurringTiming(
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

  /// The first time, if the plan is created now. For a cron this takes a while, and only shows then
  /// whether there is one.
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
      Plan.PlanDraft draft, @Nullable PlanTiming before, InputPointer place) {
    return switch (before) {
      case null -> throw place.wrong(EXACTLY_ONE, "for example \"cron\":\"0 9 * * *\"");
      case PlanTiming.OneTimeTiming once -> {
        refuseZone(draft, place);
        yield once;
      }
      case PlanTiming.RecurringTiming recurring ->
          new PlanTiming.RecurringTiming(recurring.cron(), zone(draft, place, before));
    };
  }

  /// A cron expression keeps its zone unless another is given.
  private static ZoneId zone(
      Plan.PlanDraft draft, InputPointer place, @Nullable PlanTiming before) {
    if (draft.timezone() != null) {
      return zone(draft.timezone(), place);
    }
    return before instanceof PlanTiming.RecurringTiming recurring ? recurring.zone() : UTC;
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

  private static void refuseZone(Plan.PlanDraft draft, InputPointer place) {
    if (draft.timezone() != null) {
      throw place
          .in("timezone")
          .wrong(
              "is not allowed here",
              "use `timezone` with `cron`, or with a `scheduledAt` that has no offset");
    }
  }

  /// Timing of a restored plan: its time may have passed.
  static PlanTiming ofSaved(Plan.PlanDraft draft, InputPointer place, Instant now) {
    boolean isOnce =
        draft.scheduledAt() != null && draft.cron() == null && draft.runAfter() == null;
    return isOnce ? once(draft, place, now) : of(draft, null, place, now);
  }

  private static PlanTiming.OneTimeTiming once(
      Plan.PlanDraft draft, InputPointer place, Instant now) {
    InputPointer at = place.in("scheduledAt");
    String text = Objects.requireNonNull(draft.scheduledAt()).strip();
    // A time with an offset is complete: the time zone does not change it.
    boolean isLocal = draft.timezone() != null && !hasOffset(text);
    Instant time = isLocal ? shown(draft, text, place) : offset(text, at);
    requireSoon(time, at, now);
    return PlanTiming.OneTimeTiming.of(time);
  }

  private static PlanTiming requireAhead(
      PlanTiming.OneTimeTiming timing, InputPointer place, Instant now) {
    if (timing.at().isBefore(now.minus(GRACE))) {
      throw place.wrong(
          "is in the past; the current time is " + now, "use a later time, or `runAfter`");
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

  /// The instant of a local time in the time zone; a time with an offset needs none.
  private static Instant shown(Plan.PlanDraft draft, String text, InputPointer place) {
    ZoneId zone = zone(Objects.requireNonNull(draft.timezone()), place);
    try {
      return ZonedTimeConverter.instant(LocalDateTime.parse(text), zone);
    } catch (DateTimeException _) {
      InputPointer at = place.in("scheduledAt");
      throw at.wrong(
          "is not a local time: " + text,
          "write 2026-03-01T08:00:00, or omit the timezone and add an offset");
    }
  }

  private static PlanTiming after(String text, InputPointer place, Instant now) {
    Duration wait =
        findDuration(text)
            .filter(Duration::isPositive)
            .orElseThrow(() ->
                place.wrong(
                    "is not a duration: " + text, "for example 30 minutes, 2h, 1 day, PT10M"));
    if (wait.compareTo(MAX_DURATION) > 0) {
      throw tooLate(place);
    }
    return PlanTiming.OneTimeTiming.of(now.plus(wait));
  }

  private static void requireSoon(Instant time, InputPointer place, Instant now) {
    if (time.isAfter(now.plus(MAX_DURATION))) {
      throw tooLate(place);
    }
  }

  private static Fault tooLate(InputPointer place) {
    return place.wrong("is more than ten years in the future", "choose an earlier time");
  }

  /// Parses durations: `10m`, `2 hours`, `1 week`, `PT10M`.
  private static Optional<Duration> findDuration(String text) {
    String plain = text.strip().toLowerCase(Locale.ROOT);
    var words = WORDS.matcher(plain);
    if (words.matches()) {
      return Optional.of(unit(words.group(2)).multipliedBy(Long.parseLong(words.group(1))));
    }
    try {
      return Optional.of(Duration.parse(plain));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Duration unit(String word) {
    return switch (word.charAt(0)) {
      case 's' -> Duration.ofSeconds(1);
      case 'm' -> Duration.ofMinutes(1);
      case 'h' -> Duration.ofHours(1);
      case 'd' -> Duration.ofDays(1);
      default -> Duration.ofDays(7);
    };
  }
}
