package dev.substrat.http.client;

import dev.substrat.http.client.OutgoingFailure.Reason;
import java.io.IOException;

/// Response that violates HTTP or a limit. The message continues "api.example.com ".
final class MalformedResponse extends IOException {
  private final Reason reason;

  MalformedResponse(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  static MalformedResponse broken(String message) {
    return new MalformedResponse(Reason.BROKEN, message);
  }

  static MalformedResponse tooLarge(String message) {
    return new MalformedResponse(Reason.TOO_LARGE, message);
  }

  Reason reason() {
    return reason;
  }
}
