package dev.substrat.cli.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/// Formats times for people: the time for today, otherwise date and time, in the local zone.
public final class RelativeTime {

  private RelativeTime() {}

  /// Formats an ISO time from the daemon. Other text is returned unchanged.
  public static String time(JsonNode iso) {
    if (iso.isNull() || iso.isMissingNode()) {
      return "";
    }
    return time(iso, ZoneId.systemDefault(), Instant.now());
  }

  /// The same for the given zone and current time.
  public static String time(JsonNode iso, ZoneId zone, Instant now) {
    try {
      var then = Instant.parse(iso.asText()).atZone(zone);
      boolean today = then.toLocalDate().equals(now.atZone(zone).toLocalDate());
      // Formatted by hand: loading the formatters takes longer than all of `status`.
      String hour = two(then.getHour()) + ":" + two(then.getMinute()) + ":" + two(then.getSecond());
      return today ? hour : then.toLocalDate() + " " + hour;
    } catch (DateTimeException _) {
      return iso.asText();
    }
  }

  private static String two(int number) {
    return number < 10 ? "0" + number : String.valueOf(number);
  }

  /// Duration from start to end, or until now if there is no end.
  public static String between(JsonNode start, JsonNode end) {
    try {
      var until = end.isTextual() ? Instant.parse(end.asText()) : Instant.now();
      return span(Duration.between(Instant.parse(start.asText()), until));
    } catch (DateTimeException _) {
      return "";
    }
  }

  /// The two largest units: `3d 4h`, `12m 5s`, `1.3s`.
  public static String span(Duration length) {
    if (length.toDays() > 0) {
      return length.toDays() + "d " + length.toHoursPart() + "h";
    }
    if (length.toHours() > 0) {
      return length.toHours() + "h " + length.toMinutesPart() + "m";
    }
    if (length.toMinutes() > 0) {
      return length.toMinutes() + "m " + length.toSecondsPart() + "s";
    }
    long tenths = Math.max(0, length.toMillis()) / 100;
    return tenths / 10 + "." + tenths % 10 + "s";
  }
}
