package dev.substrat.bridge;

import java.time.Duration;

/// Timeouts of the bridge.
///
/// `absence`: how long a request waits for a daemon. `farewell`: how long shutdown waits for
/// requests in flight. `steady`: a stream that lasted this long was ended by the daemon, not by an
/// error.
record BridgeTimeouts(Duration daemonWait, Duration shutdownWait, Duration stableStream) {

  /// Eight seconds cover a restart of the daemon. After ten seconds a client appears to hang.
  static final BridgeTimeouts USUAL =
      new BridgeTimeouts(Duration.ofSeconds(8), Duration.ofSeconds(5), Duration.ofSeconds(1));
}
