package dev.substrat.simulation;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Keeps the engine's lines out of the test's output: thousands of turns fail as they are told to.
final class QuietLog {
  /// Held here, because the JDK forgets the level of a logger nobody holds.
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
