package dev.substrat.platform.config;

import dev.substrat.protocol.ErrorCode;
import java.time.Duration;

/// Limits for conversations among agents in a space without a message from a person.
///
/// A message that is `maxChainDepth` steps away from a person's message wakes no agent, nor does
/// any message once agents have posted more than `messagesPerMinute` to the space. `cooldown` is
/// the minimum time between two wake-ups of an agent by the space, so that messages in between
/// share one turn. `patience` is how long a round waits for a member that does not start.
public record SpaceGuardLimits(
    int maxChainDepth, int messagesPerMinute, Duration cooldown, Duration timeout) {

  public static final SpaceGuardLimits DEFAULT =
      new SpaceGuardLimits(3, 30, Duration.ofSeconds(2), Duration.ofMinutes(2));

  public SpaceGuardLimits {
    require(maxChainDepth >= 1, "maxChainDepth must be 1 or more");
    require(messagesPerMinute >= 1, "messagesPerMinute must be 1 or more");
    require(!cooldown.isNegative(), "cooldownMillis must not be negative");
    require(timeout.isPositive(), "roundPatienceSeconds must be 1 or more");
  }

  private static void require(boolean fine, String message) {
    if (!fine) {
      throw ErrorCode.INVALID_CONFIG.fault(message, "see docs/spaces.md");
    }
  }
}
