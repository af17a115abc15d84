package dev.substrat.bridge.json;

/// Validates UTF-8 sequences (Unicode, table 3-7): rejects overlong forms, surrogates and code
/// points beyond U+10FFFF.
final class Utf8Validator {

  private Utf8Validator() {}

  /// Number of bytes of the character at `at`.
  static int length(byte[] bytes, int at) {
    int first = bytes[at] & 0xff;
    if (first < 0xc2 || first > 0xf4) {
      throw new JsonScanner.MalformedJson();
    }
    int length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (at + length > bytes.length) {
      throw new JsonScanner.MalformedJson();
    }
    int second = bytes[at + 1] & 0xff;
    if (second < lowest(first) || second > highest(first)) {
      throw new JsonScanner.MalformedJson();
    }
    for (int i = at + 2; i < at + length; i++) {
      if ((bytes[i] & 0xc0) != 0x80) {
        throw new JsonScanner.MalformedJson();
      }
    }
    return length;
  }

  private static int lowest(int first) {
    return switch (first) {
      case 0xe0 -> 0xa0;
      case 0xf0 -> 0x90;
      default -> 0x80;
    };
  }

  private static int highest(int first) {
    return switch (first) {
      case 0xed -> 0x9f;
      case 0xf4 -> 0x8f;
      default -> 0xbf;
    };
  }
}
