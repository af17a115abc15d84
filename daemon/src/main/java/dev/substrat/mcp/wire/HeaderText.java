package dev.substrat.mcp.wire;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/// Encoding of arbitrary text in an HTTP header.
public final class HeaderText {
  private static final String START = "=?base64?";
  private static final String END = "?=";

  private HeaderText() {}

  /// Unchanged if valid in a header; encoded if invalid, or if it has the form of an encoded text.
  public static String encode(String text) {
    if (isPlain(text) && !isEncoded(text)) {
      return text;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return START + Base64.getEncoder().encodeToString(bytes) + END;
  }

  private static boolean isPlain(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c <= '~') && text.strip().equals(text);
  }

  private static boolean isEncoded(String text) {
    return text.startsWith(START) && text.endsWith(END);
  }

  /// Decodes a header; empty if it claims to be encoded and is invalid.
  public static Optional<String> decode(String value) {
    if (!isEncoded(value) || value.length() < START.length() + END.length()) {
      return Optional.of(value);
    }
    String inside = value.substring(START.length(), value.length() - END.length());
    try {
      return inside.length() % 4 == 0
          ? Optional.of(new String(Base64.getDecoder().decode(inside), StandardCharsets.UTF_8))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
