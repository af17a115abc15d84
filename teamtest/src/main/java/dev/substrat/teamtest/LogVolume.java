package dev.substrat.teamtest;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/// How much a daemon under test says on stderr: only what broke, unless somebody has chosen a level
/// for it. In a test a failed turn is something to assert, not news for an operator.
final class LogVolume {
  /// Held here because the log manager keeps loggers weakly, and a collected one forgets its level.
  private static final List<Logger> LOUD =
      List.of(
          Logger.getLogger("dev.substrat"),
          Logger.getLogger("io.helidon"),
          Logger.getLogger("com.zaxxer.hikari"));

  private LogVolume() {}

  static void turnDown() {
    LOUD.stream()
        .filter(logger -> logger.getLevel() == null)
        .forEach(logger -> logger.setLevel(Level.SEVERE));
  }
}
