package dev.substrat.bridge;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// Builder for the head of an HTTP request.
final class RequestHeadBuilder {
  private final StringBuilder text = new StringBuilder(512);

  RequestHeadBuilder(String method, String target, String token) {
    text.append(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: localhost");
    with("Authorization", "Bearer " + token);
  }

  /// Head of a message to `/mcp`.
  static RequestHeadBuilder mcp(String token) {
    return new RequestHeadBuilder("POST", "/mcp", token)
        .with("Content-Type", "application/json")
        .with("Accept", "application/json, text/event-stream");
  }

  /// Omits the header if the value is missing or not valid in a header; the daemon then reports it
  /// as missing.
  RequestHeadBuilder with(String name, @Nullable String value) {
    if (value != null && isPlain(value)) {
      text.append("\r\n").append(name).append(": ").append(value);
    }
    return this;
  }

  /// For user-defined names: encoded as MCP specifies if they are not plain ASCII.
  RequestHeadBuilder withName(String name, @Nullable String value) {
    if (value == null) {
      return this;
    }
    boolean isBare = isPlain(value) && !(value.startsWith("=?base64?") && value.endsWith("?="));
    return with(name, isBare ? value : "=?base64?" + base64(value) + "?=");
  }

  private static String base64(String value) {
    return Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
  }

  /// Visible ASCII with spaces inside.
  static boolean isPlain(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      boolean isEdge = i == 0 || i == value.length() - 1;
      if (c < ' ' || c > '~' || (c == ' ' && isEdge)) {
        return false;
      }
    }
    return !value.isEmpty();
  }

  byte[] bytes(int bodyLength) {
    return (text + "\r\nContent-Length: " + bodyLength + "\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }
}
