package dev.substrat.platform.config;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.time.Duration;

/// How far agents may go on among themselves in a space before a person has to say something.
///
/// A message that is `maxChainDepth` steps away from a person's word wakes nobody, and neither does
/// any once agents have written more than `messagesPerMinute` to one space. `cooldown` is how long
/// an agent is left alone after a space has woken it, so that what comes meanwhile is one turn, and
/// `patience` how long a round waits for a member that does not begin.
public record SpaceGuardLimits(
    int maxChainDepth, int messagesPerMinute, Duration cooldown, Duration patience) {

  public static final SpaceGuardLimits DEFAULT =
      new SpaceGuardLimits(3, 30, Duration.ofSeconds(2), Duration.ofMinutes(2));

  public SpaceGuardLimits {
    require(maxChainDepth >= 1, "maxChainDepth must be 1 or more");
    require(messagesPerMinute >= 1, "messagesPerMinute must be 1 or more");
    require(!cooldown.isNegative(), "cooldownMillis must not be negative");
    require(patience.isPositive(), "roundPatienceSeconds must be 1 or more");
  }

  private static void require(boolean fine, String message) {
    if (!fine) {
      throw new Fault(ErrorCode.INVALID_CONFIG, message, "see docs/spaces.md");
    }
  }
}
