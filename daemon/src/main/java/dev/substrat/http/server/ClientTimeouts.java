package dev.substrat.http.server;

import java.time.Duration;

/// Timeouts for slow clients.
///
/// `headers` is the time from the first byte of a request to its last header, and from connecting
/// to the last header of the first request; `body` the time for its body; `reader` the time for
/// reading our response; `farewell` the time in which a client must stop sending after its request
/// was answered.
public record ClientTimeouts(Duration headers, Duration body, Duration reader, Duration linger) {

  /// Generous for a slow line, short for an attacker.
  public static final ClientTimeouts DEFAULT =
      new ClientTimeouts(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(20),
          Duration.ofSeconds(1));
}
