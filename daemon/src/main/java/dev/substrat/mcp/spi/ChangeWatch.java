package dev.substrat.mcp.spi;

import java.time.Duration;
import java.util.Set;

/// Watches changes for one principal, from its opening until it is closed.
public interface ChangeWatch extends AutoCloseable {

  /// Changes since the last call; waits for one, at most `longest`.
  Set<CatalogChange> next(Duration longest) throws InterruptedException;

  @Override
  void close();
}
