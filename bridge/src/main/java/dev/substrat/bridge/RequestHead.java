package dev.substrat.bridge;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// The head of one HTTP request to the daemon.
final class RequestHead {
  private final StringBuilder text = new StringBuilder(512);

  RequestHead(String method, String target, String token) {
    text.append(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: localhost");
    with("Authorization", "Bearer " + token);
  }

  /// As every message for `/mcp`, whatever it is.
  static RequestHead mcp(String token) {
    return new RequestHead("POST", "/mcp", token)
        .with("Content-Type", "application/json")
        .with("Accept", "application/json, text/event-stream");
  }

  /// Left out if there is no value, or one that a header cannot carry: the daemon misses it and
  /// says so.
  RequestHead with(String name, @Nullable String value) {
    if (value != null && isPlain(value)) {
      text.append("\r\n").append(name).append(": ").append(value);
    }
    return this;
  }

  /// For names that people choose: in MCP's own wrapping if they are not plain.
  RequestHead withName(String name, @Nullable String value) {
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
