package dev.substrat.mcp.spi;

import java.time.Duration;
import java.util.Set;

/// Watches changes for one principal, from its opening until it is closed.
public interface ChangeWatch extends AutoCloseable {

  /// What has changed since the last look; waits for something, at most so long.
  Set<ListChange> next(Duration longest) throws InterruptedException;

  @Override
  void close();
}
