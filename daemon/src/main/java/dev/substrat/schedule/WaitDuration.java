package dev.substrat.schedule;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Parser of durations: `10m`, `2 hours`, `1 week`, `PT10M`.
final class WaitDuration {
  private static final Pattern WORDS =
      Pattern.compile("(\\d{1,6}) ?(s|m|h|d|w|seconds?|minutes?|hours?|days?|weeks?)");

  private WaitDuration() {}

  static Optional<Duration> parse(String text) {
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
