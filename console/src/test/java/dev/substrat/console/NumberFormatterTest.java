package dev.substrat.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// Formats of numbers and times.
final class NumberFormatterTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void large_numbers_are_short_and_never_too_large() {
    assertThat(NumberFormatter.count(950)).isEqualTo("950");
    assertThat(NumberFormatter.count(1_299)).isEqualTo("1.2k");
    assertThat(NumberFormatter.count(34_999)).isEqualTo("34k");
    assertThat(NumberFormatter.count(5_690_000)).isEqualTo("5.6M");
    assertThat(NumberFormatter.of(1, "agent")).isEqualTo("1 agent");
    assertThat(NumberFormatter.of(0, "agent")).isEqualTo("0 agents");
  }

  @Test
  void amounts_have_all_digits() {
    assertThat(NumberFormatter.amount(new BigDecimal("12500"))).isEqualTo("12,500");
    assertThat(NumberFormatter.amount(new BigDecimal("1200.50"))).isEqualTo("1,200.50");
    assertThat(NumberFormatter.amount(new BigDecimal("6E+4"))).isEqualTo("60,000");
  }

  @Test
  void small_amounts_keep_significant_digits() {
    assertThat(NumberFormatter.dollars(0.0031)).isEqualTo("$0.0031");
    assertThat(NumberFormatter.dollars(1.2)).isEqualTo("$1.20");
    assertThat(NumberFormatter.dollars(0)).isEqualTo("$0.00");
  }

  @Test
  void durations_have_two_significant_digits() {
    assertThat(NumberFormatter.time(Duration.ofMillis(340))).isEqualTo("340 ms");
    assertThat(NumberFormatter.time(Duration.ofMillis(2_190))).isEqualTo("2.1 s");
    assertThat(NumberFormatter.time(Duration.ofSeconds(184))).isEqualTo("3 min 4 s");
  }

  @Test
  void times_are_relative() {
    assertThat(TimeFormatter.ago(NOW.plusSeconds(3), NOW)).as("clocks differ").isEqualTo("now");
    assertThat(TimeFormatter.ago(NOW.minusSeconds(59), NOW)).isEqualTo("59 s ago");
    assertThat(TimeFormatter.ago(NOW.minusSeconds(3_599), NOW)).isEqualTo("59 min ago");
    assertThat(TimeFormatter.ago(NOW.minusSeconds(86_399), NOW)).isEqualTo("23 h ago");
    assertThat(TimeFormatter.ago(NOW.minus(Duration.ofDays(13)), NOW)).isEqualTo("13 d ago");
    assertThat(TimeFormatter.ago(NOW.minus(Duration.ofDays(20)), NOW)).isEqualTo("2026-02-09");
    assertThat(TimeFormatter.exact(NOW)).isEqualTo("2026-03-01 12:00:00 UTC");
  }

  @Test
  void an_avatar_depends_on_the_id_and_shows_initials() {
    assertThat(Avatar.of("1", "mira stone")).isEqualTo(Avatar.of("1", "mira stone"));
    assertThat(Avatar.of("1", "mira stone").initials()).isEqualTo("MS");
    assertThat(Avatar.of("1", "ada").initials()).isEqualTo("A");
    assertThat(Avatar.of("1", "🦊 fox").initials()).isEqualTo("🦊F");
    assertThat(Avatar.of("1", " ").initials()).isEmpty();
  }

  @Test
  void tokens_are_estimated() {
    assertThat(NumberFormatter.tokens("")).isZero();
    assertThat(NumberFormatter.tokens("You lead the harbor team.")).isBetween(5L, 8L);
    assertThat(NumberFormatter.tokens("船長")).isEqualTo(2);
  }
}
