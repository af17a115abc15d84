package dev.substrat.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;

/// Converts local times of a time zone to instants, also in the gaps and overlaps of daylight
/// saving.
final class ZonedTimeConverter {
  private ZonedTimeConverter() {}

  /// A local time that is skipped becomes the moment of the change; one that occurs twice becomes
  /// the first.
  static Instant instant(LocalDateTime shown, ZoneId zone) {
    var transition = zone.getRules().getTransition(shown);
    return transition != null && transition.isGap()
        ? transition.getInstant()
        : shown.atZone(zone).toInstant();
  }
}
