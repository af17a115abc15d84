package dev.substrat.memory;

import dev.substrat.protocol.ErrorCode;
import java.util.List;

/// Size limits of memory and their validation. Lengths are counted in code points, so one emoji is
/// one character.
public final class MemoryLimits {
  /// Default limit of a block, about a page.
  public static final int BLOCK = 4_000;

  /// Maximum limit of a block.
  public static final int MAX_BLOCK_LENGTH = 20_000;

  static final int BLOCKS = 40;
  static final int PASSAGE = 20_000;
  static final int VALUE = 2_000;
  static final int VALUES = 200;
  static final int VALUES_AT_ONCE = 50;
  static final int ENTRY = 20_000;
  static final int ENTRIES = 1_000;
  static final int TITLE = 200;
  private static final int LABEL = 64;
  private static final int TAGS = 20;

  private MemoryLimits() {}

  /// A label, key or tag: short, on one line, without surrounding spaces.
  static void requireLabel(String pointer, String label) {
    requireLine(pointer, label, LABEL);
  }

  static void requireLine(String pointer, String text, int most) {
    boolean isOneLine =
        text.codePoints().noneMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029);
    if (text.isBlank() || !text.equals(text.strip()) || size(text) > most || !isOneLine) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "%s must be one line of 1 to %d characters".formatted(pointer, most),
          "remove leading and trailing spaces and line breaks; for example \"persona\"");
    }
  }

  static void requireTags(List<String> tags) {
    if (tags.size() > TAGS) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/tags has %d tags, the maximum is %d".formatted(tags.size(), TAGS),
          "keep only the tags that you will search by");
    }
    for (int i = 0; i < tags.size(); i++) {
      requireLabel("/tags/" + i, tags.get(i));
    }
  }

  static void requireText(String pointer, String text) {
    if (text.isBlank()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(pointer + " is empty", "give the text to store");
    }
  }

  /// `what` names the object in an error.
  static void requireLength(String what, String text, int most, String hint) {
    int size = size(text);
    if (size > most) {
      throw ErrorCode.TOO_LARGE.fault(
          "%s has at most %d characters, this text has %d".formatted(what, most, size),
          "shorten the text by %d characters, %s".formatted(size - most, hint));
    }
  }

  static void requireLimit(int limit) {
    if (limit < 1 || limit > MAX_BLOCK_LENGTH) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/limit must be 1 to %d, not %d".formatted(MAX_BLOCK_LENGTH, limit),
          "omit the limit for the default, %d".formatted(BLOCK));
    }
  }

  public static int size(String text) {
    return text.codePointCount(0, text.length());
  }
}
