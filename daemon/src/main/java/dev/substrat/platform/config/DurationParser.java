package dev.substrat.platform.config;

import dev.substrat.protocol.ErrorCode;
import java.time.Duration;
import java.util.regex.Pattern;

/// Parser of durations such as `200ms`, `2s`, `5m`.
public final class DurationParser {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m)");

  private DurationParser() {}

  public static Duration parse(String text) {
    var match = FORM.matcher(text);
    if (!match.matches()) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "\"" + text + "\" is not a duration", "write 200ms, 2s or 5m");
    }
    long amount = Long.parseLong(match.group(1));
    return switch (match.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      default -> Duration.ofMinutes(amount);
    };
  }
}
