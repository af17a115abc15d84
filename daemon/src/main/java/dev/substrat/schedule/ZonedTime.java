package dev.substrat.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;

/// Converts local times of a time zone to instants, also in the gaps and overlaps of daylight
/// saving.
final class ZonedTime {
  private ZonedTime() {}

  /// A time that clocks skip is the moment they skip it; one they show twice is the first of the
  /// two.
  static Instant instant(LocalDateTime shown, ZoneId zone) {
    var transition = zone.getRules().getTransition(shown);
    return transition != null && transition.isGap()
        ? transition.getInstant()
        : shown.atZone(zone).toInstant();
  }
}
