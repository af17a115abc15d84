package dev.substrat.http.server;

import java.time.Duration;

/// How long a client may keep one of our threads waiting.
///
/// `headers` is the time from the first byte of a request to its last header, and from connecting
/// to the last header of the first request; `body` that for its body, `reader` that for taking what
/// we send, and `farewell` that for stopping to send what nobody will read any more.
public record ClientTimeouts(Duration headers, Duration body, Duration reader, Duration farewell) {

  /// Generous for a bad line, short for somebody who means harm.
  public static final ClientTimeouts DEFAULT =
      new ClientTimeouts(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(20),
          Duration.ofSeconds(1));
}
