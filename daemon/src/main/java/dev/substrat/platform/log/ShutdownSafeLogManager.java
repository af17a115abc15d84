package dev.substrat.platform.log;

import java.util.logging.LogManager;

/// Log manager that keeps logging while the process stops. The JDK's own manager removes its
/// handlers in a shutdown hook that runs concurrently with the daemon's.
public final class ShutdownSafeLogManager extends LogManager {

  @Override
  public void reset() {
    // Nothing is configured that would have to be undone.
  }
}
