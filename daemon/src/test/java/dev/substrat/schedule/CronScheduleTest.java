package dev.substrat.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.testkit.Requirement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Due times of cron expressions, also on the days of daylight saving changes.
@Requirement("S3-30")
final class CronScheduleTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 9 * * MON-FRI | 2026-03-28T12:00:00 | 2026-03-30T09:00:00",
        "*/10 * * * *    | 2026-03-28T12:00:00 | 2026-03-28T12:10:00",
        "*/10 * * * *    | 2026-03-28T11:59:59.999 | 2026-03-28T12:00:00",
        "0 0 29 2 *      | 2026-03-28T12:00:00 | 2028-02-29T00:00:00",
        "0 9 * * 0       | 2026-03-28T12:00:00 | 2026-03-29T09:00:00",
        "0 9 * * 7       | 2026-03-28T12:00:00 | 2026-03-29T09:00:00",
        "0 9 1 */3 *     | 2026-03-28T12:00:00 | 2026-04-01T09:00:00",
        // A day of the month and a weekday: either will do, as everywhere.
        "0 0 13 * 5      | 2026-04-10T12:00:00 | 2026-04-13T00:00:00",
      })
  void the_next_time_is_the_first_that_fits(String cron, String after, String next) {
    assertThat(times(cron, ZoneId.of("UTC"), after + "Z", 1)).containsExactly(next + "Z");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "* * * *", "* * * * * *", "61 * * * *", "a b c d e", "@daily", "0 9 L * *"})
  void an_invalid_cron_expression_is_rejected(String cron) {
    assertThatThrownBy(() -> PlanTiming.CronSchedule.parse(cron, BERLIN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_date_that_does_not_exist_has_no_next_time() {
    assertThat(times("0 0 30 2 *", BERLIN, "2026-03-28T12:00:00Z", 1)).isEmpty();
  }

  /// On the 29th of March 2026, clocks in Berlin go from 02:00 to 03:00, which is 01:00 UTC.
  @Test
  void a_skipped_local_time_is_due_at_the_transition() {
    assertThat(times("30 2 * * *", BERLIN, "2026-03-27T12:00:00Z", 3))
        .containsExactly("2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
    // Six skipped times and the next one are one instant.
    assertThat(times("*/10 * * * *", BERLIN, "2026-03-29T00:40:00Z", 3))
        .containsExactly("2026-03-29T00:50:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:10:00Z");
  }

  /// On the 25th of October 2026, clocks in Berlin go from 03:00 back to 02:00, which is 01:00 UTC.
  @Test
  void a_local_time_that_occurs_twice_is_due_once() {
    assertThat(times("30 2 * * *", BERLIN, "2026-10-24T12:00:00Z", 2))
        .containsExactly("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
    assertThat(times("*/30 * * * *", BERLIN, "2026-10-25T00:00:00Z", 2))
        .containsExactly("2026-10-25T00:30:00Z", "2026-10-25T02:00:00Z");
  }

  @Test
  void after_the_first_occurrence_of_a_repeated_time_the_next_day_is_due() {
    assertThat(times("30 2 * * *", BERLIN, "2026-10-25T01:10:00Z", 1))
        .containsExactly("2026-10-26T01:30:00Z");
  }

  @Test
  void a_single_local_time_follows_the_same_rules() {
    assertThat(ZonedTimeConverter.instant(LocalDateTime.parse("2026-03-29T02:30:00"), BERLIN))
        .isEqualTo(Instant.parse("2026-03-29T01:00:00Z"));
    assertThat(ZonedTimeConverter.instant(LocalDateTime.parse("2026-10-25T02:30:00"), BERLIN))
        .isEqualTo(Instant.parse("2026-10-25T00:30:00Z"));
    assertThat(ZonedTimeConverter.instant(LocalDateTime.parse("2026-07-01T02:30:00"), BERLIN))
        .isEqualTo(Instant.parse("2026-07-01T00:30:00Z"));
  }

  private static List<String> times(String cron, ZoneId zone, String after, int most) {
    PlanTiming.CronSchedule times = PlanTiming.CronSchedule.parse(cron, zone);
    var found = new ArrayList<String>();
    var next = times.next(Instant.parse(after));
    while (next.isPresent() && found.size() < most) {
      found.add(next.get().toString());
      next = times.next(next.get());
    }
    return found;
  }
}
