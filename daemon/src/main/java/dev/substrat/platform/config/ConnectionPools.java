package dev.substrat.platform.config;

import dev.substrat.protocol.ErrorCode;

/// Maximum numbers of connections of one daemon to a shared database, for transactions that write
/// and for reads. The daemon opens them when they are needed, and two more for notifications.
///
/// PostgreSQL lets parallel commits share a write to disk, so more connections than it has cores
/// are useful; many more only queue inside the server.
public record ConnectionPools(int writers, int readers) {
  public static final ConnectionPools DEFAULT = new ConnectionPools(12, 6);

  private static final int MOST = 500;

  public ConnectionPools {
    require("writers", writers);
    require("readers", readers);
  }

  private static void require(String name, int size) {
    if (size < 2 || size > MOST) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "dbPool/%s must be between 2 and %d".formatted(name, MOST),
          "leave it out for the default of 12 writers and 6 readers");
    }
  }
}
