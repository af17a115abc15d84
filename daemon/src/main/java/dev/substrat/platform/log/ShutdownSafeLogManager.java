package dev.substrat.platform.log;

import java.util.logging.LogManager;

/// Keeps logging while the process stops. The JDK's own manager drops its handlers in a shutdown
/// hook, beside the one in which the daemon has its last words.
public final class ShutdownSafeLogManager extends LogManager {

  @Override
  public void reset() {
    // Nothing is configured that would have to be undone.
  }
}
