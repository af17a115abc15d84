package dev.substrat.protocol;

import java.io.IOException;

/// Response that violates HTTP or a limit. The message continues "api.example.com ".
public final class MalformedResponse extends IOException {
  private final boolean isTooLarge;

  private MalformedResponse(boolean isTooLarge, String message) {
    super(message);
    this.isTooLarge = isTooLarge;
  }

  public static MalformedResponse broken(String message) {
    return new MalformedResponse(false, message);
  }

  public static MalformedResponse tooLarge(String message) {
    return new MalformedResponse(true, message);
  }

  public boolean isTooLarge() {
    return isTooLarge;
  }
}
