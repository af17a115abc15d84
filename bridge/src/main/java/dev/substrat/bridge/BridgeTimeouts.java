package dev.substrat.bridge;

import java.time.Duration;

/// How long the bridge waits.
///
/// `absence` is how long a request waits for a daemon to be there, `farewell` how long the end
/// waits for what is still under way, and `steady` how long a stream must have lasted for its end
/// to be the daemon's and not its own.
record BridgeTimeouts(Duration absence, Duration farewell, Duration steady) {

  /// Eight seconds cover a restart of the daemon. A client that waits longer than ten looks stuck
  /// to its user, who could start the daemon instead.
  static final BridgeTimeouts USUAL =
      new BridgeTimeouts(Duration.ofSeconds(8), Duration.ofSeconds(5), Duration.ofSeconds(1));
}
