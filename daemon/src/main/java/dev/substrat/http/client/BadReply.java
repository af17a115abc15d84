package dev.substrat.http.client;

import dev.substrat.http.client.OutgoingFailure.Reason;
import java.io.IOException;

/// The server said something that is no reply we take. The message continues "api.example.com ".
final class BadReply extends IOException {
  private final Reason reason;

  BadReply(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  static BadReply broken(String message) {
    return new BadReply(Reason.BROKEN, message);
  }

  static BadReply tooLarge(String message) {
    return new BadReply(Reason.TOO_LARGE, message);
  }

  Reason reason() {
    return reason;
  }
}
