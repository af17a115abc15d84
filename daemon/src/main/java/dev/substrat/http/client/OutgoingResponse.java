package dev.substrat.http.client;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Complete response of a server, with any status.
public final class OutgoingResponse {
  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;

  OutgoingResponse(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  public int status() {
    return status;
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  public byte[] body() {
    return body;
  }

  /// The body as UTF-8; invalid bytes are replaced.
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /// Without parts that may contain a secret.
  @Override
  public String toString() {
    return "OutgoingReply[" + status + "]";
  }
}
