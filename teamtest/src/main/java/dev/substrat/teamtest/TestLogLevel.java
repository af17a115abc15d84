package dev.substrat.teamtest;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Log level of a daemon under test: errors only, unless a level is configured. Failed turns are
/// expected in tests and asserted there.
final class TestLogLevel {
  /// Strong references: the log manager keeps loggers weakly, and a collected one loses its level.
  private static final List<Logger> LOUD =
      List.of(
          Logger.getLogger("dev.substrat"),
          Logger.getLogger("io.helidon"),
          Logger.getLogger("com.zaxxer.hikari"));

  private TestLogLevel() {}

  static void turnDown() {
    LOUD.stream()
        .filter(logger -> logger.getLevel() == null)
        .forEach(logger -> logger.setLevel(Level.SEVERE));
  }
}
