package dev.substrat.bridge.json;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A validated JSON object that is passed through unchanged. Only its [MessageField]s are read.
public final class RawJsonObject {
  private final byte[] bytes;
  private final Map<MessageField, ByteRange> spans;

  private RawJsonObject(byte[] bytes, Map<MessageField, ByteRange> spans) {
    this.bytes = bytes;
    this.spans = spans;
  }

  /// Byte range: start inclusive, end exclusive.
  record ByteRange(int from, int to) {}

  /// Empty if it is not exactly one JSON object in UTF-8. For duplicate names the last one counts,
  /// as in the daemon.
  public static Optional<RawJsonObject> parse(byte[] bytes) {
    try {
      return Optional.of(new RawJsonObject(bytes, new JsonScanner(bytes).spans()));
    } catch (JsonScanner.MalformedJson _) {
      return Optional.empty();
    }
  }

  public byte[] bytes() {
    return bytes;
  }

  public boolean has(MessageField part) {
    return spans.containsKey(part);
  }

  /// The raw part, with quotes and escapes.
  @Nullable
  public String raw(MessageField part) {
    ByteRange span = spans.get(part);
    return span == null
        ? null
        : new String(bytes, span.from(), span.to() - span.from(), StandardCharsets.UTF_8);
  }

  /// The decoded part, if it is a string.
  @Nullable
  public String text(MessageField part) {
    String raw = raw(part);
    if (raw == null || raw.charAt(0) != '"') {
      return null;
    }
    return unescaped(raw.substring(1, raw.length() - 1));
  }

  /// Requires validated text: escapes are complete.
  static String unescaped(String text) {
    int next = text.indexOf('\\');
    if (next < 0) {
      return text;
    }
    var plain = new StringBuilder(text.length());
    int from = 0;
    while (next >= 0) {
      plain.append(text, from, next);
      char escaped = text.charAt(next + 1);
      from = next + 2;
      switch (escaped) {
        case 'b' -> plain.append('\b');
        case 'f' -> plain.append('\f');
        case 'n' -> plain.append('\n');
        case 'r' -> plain.append('\r');
        case 't' -> plain.append('\t');
        case 'u' -> {
          plain.append((char) Integer.parseInt(text.substring(from, from + 4), 16));
          from += 4;
        }
        default -> plain.append(escaped);
      }
      next = text.indexOf('\\', from);
    }
    return plain.append(text, from, text.length()).toString();
  }

  /// The text as a JSON string.
  public static String quoted(String text) {
    var json = new StringBuilder(text.length() + 16).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        String hex = Integer.toHexString(c);
        json.append("\\u").append("0000", hex.length(), 4).append(hex);
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }
}
