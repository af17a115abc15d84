package dev.substrat.console;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// Formatting of times: relative, and exact on hover. `times.js` uses the same format in the
/// browser.
public final class TimeFormatter {
  private static final DateTimeFormatter EXACT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'").withZone(ZoneOffset.UTC);

  private TimeFormatter() {}

  public static String ago(Instant then, Instant now) {
    long seconds = Math.max(0, Duration.between(then, now).toSeconds());
    if (seconds < 5) {
      return "now";
    }
    if (seconds < 60) {
      return seconds + " s ago";
    }
    if (seconds < 3_600) {
      return seconds / 60 + " min ago";
    }
    if (seconds < 86_400) {
      return seconds / 3_600 + " h ago";
    }
    return seconds < 14 * 86_400
        ? seconds / 86_400 + " d ago"
        : DateTimeFormatter.ISO_LOCAL_DATE.withZone(ZoneOffset.UTC).format(then);
  }

  /// Time until then: "in 5 min", or "now" if it is over.
  public static String until(Instant then, Instant now) {
    long seconds = Duration.between(now, then).toSeconds();
    if (seconds < 5) {
      return "now";
    }
    if (seconds < 60) {
      return "in " + seconds + " s";
    }
    if (seconds < 3_600) {
      return "in " + seconds / 60 + " min";
    }
    return seconds < 86_400 ? "in " + seconds / 3_600 + " h" : "in " + seconds / 86_400 + " d";
  }

  public static String exact(Instant then) {
    return EXACT.format(then);
  }
}
