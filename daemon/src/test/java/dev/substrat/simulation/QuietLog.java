package dev.substrat.simulation;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Suppresses log lines of the engine: thousands of turns fail on purpose.
final class QuietLog {
  /// Strong reference: the JDK drops the level of a logger that is not referenced.
  private final Logger logger = Logger.getLogger("dev.substrat");

  private @Nullable Level before;

  void silence() {
    before = logger.getLevel();
    logger.setLevel(Level.OFF);
  }

  void restore() {
    logger.setLevel(before);
  }
}
