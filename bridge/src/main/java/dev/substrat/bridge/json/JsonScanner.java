package dev.substrat.bridge.json;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;

/// Strict JSON scanner (RFC 8259) that records the positions of [MessageField]s.
///
/// A message that passes can be written as one line that every client can parse. Only positions are
/// stored, so large messages need no extra memory.
final class JsonScanner {
  /// Maximum depth, as in the daemon.
  private static final int DEEPEST = 1000;

  private final byte[] bytes;
  private final Map<MessageField, RawJsonObject.ByteRange> spans =
      new EnumMap<>(MessageField.class);
  private final String[] names = {"", "", ""};
  private int at;

  JsonScanner(byte[] bytes) {
    this.bytes = bytes;
  }

  /// Invalid JSON. Without a stack trace, because there may be many bad lines.
  static final class MalformedJson extends RuntimeException {
    MalformedJson() {
      super("not a JSON object", null, false, false);
    }
  }

  Map<MessageField, RawJsonObject.ByteRange> spans() {
    skipSpace();
    if (peek() != '{') {
      throw new MalformedJson();
    }
    value(0, true);
    skipSpace();
    if (at < bytes.length) {
      throw new MalformedJson();
    }
    return spans;
  }

  /// `known` is false inside arrays, which contain no message parts.
  private void value(int depth, boolean known) {
    if (depth > DEEPEST) {
      throw new MalformedJson();
    }
    switch (peek()) {
      case '{' -> object(depth, known && depth < names.length);
      case '[' -> array(depth);
      case '"' -> string();
      case 't' -> word("true");
      case 'f' -> word("false");
      case 'n' -> word("null");
      default -> number();
    }
  }

  private void object(int depth, boolean known) {
    at++;
    skipSpace();
    if (skipped('}')) {
      return;
    }
    do {
      skipSpace();
      int from = at;
      string();
      if (known) {
        names[depth] = name(from + 1, at - 1);
      }
      skipSpace();
      require(':');
      skipSpace();
      int begin = at;
      value(depth + 1, known);
      if (known) {
        remember(depth + 1, begin);
      }
      skipSpace();
    } while (skipped(','));
    require('}');
  }

  private String name(int from, int to) {
    return RawJsonObject.unescaped(new String(bytes, from, to - from, StandardCharsets.UTF_8));
  }

  private void remember(int depth, int begin) {
    MessageField part = MessageField.at(names, depth);
    if (part != null) {
      spans.put(part, new RawJsonObject.ByteRange(begin, at));
    }
  }

  private void array(int depth) {
    at++;
    skipSpace();
    if (skipped(']')) {
      return;
    }
    do {
      skipSpace();
      value(depth + 1, false);
      skipSpace();
    } while (skipped(','));
    require(']');
  }

  private void string() {
    require('"');
    while (true) {
      int c = peek();
      if (c == '"') {
        at++;
        return;
      }
      if (c == '\\') {
        escape();
      } else if (c >= 0x80) {
        at += Utf8Validator.length(bytes, at);
      } else if (c < ' ') {
        throw new MalformedJson();
      } else {
        at++;
      }
    }
  }

  private void escape() {
    at++;
    if (peek() != 'u') {
      if ("\"\\/bfnrt".indexOf(peek()) < 0) {
        throw new MalformedJson();
      }
      at++;
      return;
    }
    at++;
    for (int i = 0; i < 4; i++) {
      if (Character.digit(peek(), 16) < 0) {
        throw new MalformedJson();
      }
      at++;
    }
  }

  private void number() {
    skipped('-');
    if (!skipped('0')) {
      digits();
    }
    if (skipped('.')) {
      digits();
    }
    if (skipped('e') || skipped('E')) {
      if (!skipped('+')) {
        skipped('-');
      }
      digits();
    }
  }

  private void digits() {
    int from = at;
    while (at < bytes.length && bytes[at] >= '0' && bytes[at] <= '9') {
      at++;
    }
    if (at == from) {
      throw new MalformedJson();
    }
  }

  private void word(String word) {
    for (int i = 0; i < word.length(); i++) {
      require(word.charAt(i));
    }
  }

  private void skipSpace() {
    while (at < bytes.length
        && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\n' || bytes[at] == '\r')) {
      at++;
    }
  }

  private boolean skipped(char wanted) {
    if (at < bytes.length && bytes[at] == wanted) {
      at++;
      return true;
    }
    return false;
  }

  private void require(char wanted) {
    if (!skipped(wanted)) {
      throw new MalformedJson();
    }
  }

  private int peek() {
    if (at >= bytes.length) {
      throw new MalformedJson();
    }
    return bytes[at] & 0xff;
  }
}
