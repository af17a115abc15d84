package dev.substrat.protocol;

import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Finds and escapes characters that a reader cannot see or that change what a reader sees:
/// invisible characters, direction marks, control characters, characters that only look like a
/// blank, and stacks of combining marks.
///
/// A person who approves a command, a name or a tool definition decides about what the screen
/// shows. These characters make the screen show something else than what is stored. Each one is
/// written as a backslash and `u{202E}`: named rather than dropped, because a dropped character
/// would hide that it was there.
///
/// Some of them belong to ordinary writing and stay:
///
/// * newline, tab, and a carriage return directly before a newline;
/// * a joiner (U+200C, U+200D) between two characters of a script that needs it, such as Arabic or
///   Devanagari, and U+200D after a virama;
/// * U+200D between two emoji, and one variation selector (U+FE0E, U+FE0F) after an emoji;
/// * up to four combining marks in a row.
///
/// Escaping is for reading, not for storing: a text that contains such an escape literally looks
/// the same afterwards. Where it matters, the escaped parts are marked as well, see [#parts].
public final class HiddenCharacters {
  /// No orthography needs more on one letter; many of them cover the lines above and below.
  private static final int MAX_MARKS = 4;

  private static final int ZERO_WIDTH_NON_JOINER = 0x200c;
  private static final int ZERO_WIDTH_JOINER = 0x200d;
  private static final int KEYCAP = 0x20e3;

  /// Scripts whose letters change their shape with their neighbours, so that writers need joiners.
  private static final Set<UnicodeScript> JOINING =
      Set.of(
          UnicodeScript.ARABIC,
          UnicodeScript.SYRIAC,
          UnicodeScript.NKO,
          UnicodeScript.ADLAM,
          UnicodeScript.MANDAIC,
          UnicodeScript.HANIFI_ROHINGYA,
          UnicodeScript.MONGOLIAN,
          UnicodeScript.PHAGS_PA,
          UnicodeScript.DEVANAGARI,
          UnicodeScript.BENGALI,
          UnicodeScript.GURMUKHI,
          UnicodeScript.GUJARATI,
          UnicodeScript.ORIYA,
          UnicodeScript.TAMIL,
          UnicodeScript.TELUGU,
          UnicodeScript.KANNADA,
          UnicodeScript.MALAYALAM,
          UnicodeScript.SINHALA,
          UnicodeScript.KHMER,
          UnicodeScript.MYANMAR,
          UnicodeScript.BALINESE,
          UnicodeScript.JAVANESE);

  private static final Set<Integer> VIRAMAS =
      Set.of(
          0x94d, 0x9cd, 0xa4d, 0xacd, 0xb4d, 0xbcd, 0xc4d, 0xccd, 0xd4d, 0xdca, 0x1039, 0x17d2,
          0x1b44, 0xa9c0);

  /// A piece of a text: a run of visible characters, or one hidden character.
  public record TextPart(String text, boolean isHidden) {
    /// Visible form.
    public String shown() {
      return isHidden ? "\\u{%X}".formatted(text.codePointAt(0)) : text;
    }
  }

  private HiddenCharacters() {}

  public static boolean contains(String text) {
    return next(text, 0, new int[1]) < text.length();
  }

  /// The text with every hidden character as a backslash and `u{HEX}`.
  public static String escape(String text) {
    if (!contains(text)) {
      return text;
    }
    var escaped = new StringBuilder(text.length() + 16);
    parts(text).forEach(part -> escaped.append(part.shown()));
    return escaped.toString();
  }

  /// The text in pieces, for a display that marks the hidden ones.
  public static List<TextPart> parts(String text) {
    var parts = new ArrayList<TextPart>();
    var marks = new int[1];
    for (int start = 0; start < text.length(); ) {
      int hidden = next(text, start, marks);
      if (hidden > start) {
        parts.add(new TextPart(text.substring(start, hidden), false));
      }
      if (hidden == text.length()) {
        break;
      }
      int c = text.codePointAt(hidden);
      parts.add(new TextPart(Character.toString(c), true));
      start = hidden + Character.charCount(c);
    }
    return List.copyOf(parts);
  }

  /// Where the first hidden character at or after `start` is; the length if there is none. `marks`
  /// holds how many combining marks precede it in a row.
  private static int next(String text, int start, int[] marks) {
    for (int i = start; i < text.length(); ) {
      int c = text.codePointAt(i);
      // Most text is this; it is no mark either.
      if (c >= ' ' && c < 0x7f) {
        marks[0] = 0;
        i++;
        continue;
      }
      marks[0] = isStacking(c) ? marks[0] + 1 : 0;
      if (marks[0] > MAX_MARKS || isHidden(text, i, c)) {
        return i;
      }
      i += Character.charCount(c);
    }
    return text.length();
  }

  /// Marks that take no room of their own. Those that do cannot be stacked.
  private static boolean isStacking(int c) {
    int type = Character.getType(c);
    return type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK;
  }

  private static boolean isHidden(String text, int at, int c) {
    if (isBlank(c)) {
      return true;
    }
    if (isVariationSelector(c)) {
      return !followsEmoji(text, at, c);
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL -> c != '\n' && c != '\t' && !endsLine(text, at, c);
      case Character.FORMAT -> !isVisibleFormat(c) && !joins(text, at, c);
      case Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          true;
      default -> false;
    };
  }

  /// Characters that Unicode counts as letters, marks or symbols and that have no shape: combining
  /// grapheme joiner, Hangul fillers, inherent vowels of Khmer, the empty Braille pattern.
  private static boolean isBlank(int c) {
    return switch (c) {
      case 0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x2800, 0x3164, 0xffa0 -> true;
      default -> false;
    };
  }

  private static boolean isVariationSelector(int c) {
    return (c >= 0xfe00 && c <= 0xfe0f)
        || (c >= 0xe0100 && c <= 0xe01ef)
        || (c >= 0x180b && c <= 0x180f && c != 0x180e);
  }

  /// Whether an emoji is directly before this selector. A digit counts only as a keycap: otherwise
  /// every digit could carry a hidden mark.
  private static boolean followsEmoji(String text, int at, int c) {
    if (at == 0 || (c != 0xfe0e && c != 0xfe0f)) {
      return false;
    }
    int before = text.codePointBefore(at);
    return before < 0x80
        ? Character.isEmoji(before) && after(text, at, c) == KEYCAP
        : Character.isEmoji(before);
  }

  private static boolean endsLine(String text, int at, int c) {
    return c == '\r' && after(text, at, c) == '\n';
  }

  /// Format characters that are drawn: signs that span Arabic, Syriac and Kaithi numbers.
  private static boolean isVisibleFormat(int c) {
    return switch (c) {
      case 0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6dd, 0x70f, 0x890, 0x891, 0x8e2 -> true;
      case 0x110bd, 0x110cd -> true;
      default -> false;
    };
  }

  /// Whether this is a joiner where writers need one.
  private static boolean joins(String text, int at, int c) {
    if (at == 0 || (c != ZERO_WIDTH_NON_JOINER && c != ZERO_WIDTH_JOINER)) {
      return false;
    }
    int before = text.codePointBefore(at);
    int after = after(text, at, c);
    if (c == ZERO_WIDTH_JOINER && endsEmoji(text, at, before)) {
      return Character.isExtendedPictographic(after);
    }
    return (c == ZERO_WIDTH_JOINER && VIRAMAS.contains(before))
        || (isJoining(baseBefore(text, at)) && isJoining(after));
  }

  private static boolean endsEmoji(String text, int at, int before) {
    return Character.isExtendedPictographic(before)
        || Character.isEmojiModifier(before)
        || (before == 0xfe0f && followsEmoji(text, at - 1, before));
  }

  /// The character after this position; 0, which joins nothing, at the end.
  private static int after(String text, int at, int c) {
    int next = at + Character.charCount(c);
    return next < text.length() ? text.codePointAt(next) : 0;
  }

  /// The character before this place, without the marks that all scripts share.
  private static int baseBefore(String text, int at) {
    int place = at;
    for (int marks = 0; place > 0 && marks <= MAX_MARKS; marks++) {
      int c = text.codePointBefore(place);
      if (UnicodeScript.of(c) != UnicodeScript.INHERITED || !isStacking(c)) {
        return c;
      }
      place -= Character.charCount(c);
    }
    return 0;
  }

  private static boolean isJoining(int c) {
    boolean isWriting = Character.isLetter(c) || isMark(c);
    return isWriting && JOINING.contains(UnicodeScript.of(c));
  }

  private static boolean isMark(int c) {
    return isStacking(c) || Character.getType(c) == Character.COMBINING_SPACING_MARK;
  }
}
