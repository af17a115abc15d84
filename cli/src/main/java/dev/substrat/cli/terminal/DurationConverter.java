package dev.substrat.cli.terminal;

import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Parses durations such as `500ms`, `90s`, `30m`, `2h`, `1d`.
public final class DurationConverter implements ITypeConverter<Duration> {
  private static final Pattern SHAPE = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

  @Override
  public Duration convert(String typed) {
    var match = SHAPE.matcher(typed);
    if (!match.matches()) {
      throw new TypeConversionException(
          "'%s' is not a duration such as 90s, 30m or 2h".formatted(typed));
    }
    long amount = Long.parseLong(match.group(1));
    return switch (match.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }
}
