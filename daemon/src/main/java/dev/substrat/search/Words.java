package dev.substrat.search;

import java.text.Normalizer;
import java.util.LinkedHashSet;
import java.util.SequencedSet;

/// The words of a text in any language: runs of letters and digits, whatever their case and
/// accents. Scripts that put no space between words are cut into pairs of characters.
///
/// The databases get these words and no text, because they disagree on what a word is.
final class Words {
  /// Longer ones are no words but keys or pictures; their beginning tells them apart.
  private static final int LONGEST = 40;

  private final SequencedSet<String> found = new LinkedHashSet<>();
  private final StringBuilder word = new StringBuilder();
  private final int most;

  private Words(int most) {
    this.most = most;
  }

  /// Each word once, in the order of the text, at most `most` of them.
  static SequencedSet<String> of(String text, int most) {
    var words = new Words(most);
    Normalizer.normalize(Folding.of(text), Normalizer.Form.NFD).codePoints().forEach(words::take);
    words.end();
    return words.found;
  }

  private void take(int c) {
    if (found.size() >= most || isAccent(c)) {
      return;
    }
    if (isUnspaced(c)) {
      pair(c);
    } else if (belongsToWord(c)) {
      if (!word.isEmpty() && isUnspaced(word.codePointBefore(word.length()))) {
        end();
      }
      word.appendCodePoint(c);
    } else {
      end();
    }
  }

  /// Each such character makes a pair with the one before it; one alone is a word.
  private void pair(int c) {
    if (!word.isEmpty()) {
      int before = word.codePointBefore(word.length());
      if (isUnspaced(before)) {
        add(Character.toString(before) + Character.toString(c));
        word.setLength(0);
      } else {
        end();
      }
    } else {
      add(Character.toString(c));
    }
    word.appendCodePoint(c);
  }

  private void end() {
    if (!word.isEmpty() && !isUnspaced(word.codePointBefore(word.length()))) {
      int length = word.codePointCount(0, word.length());
      add(word.substring(0, word.offsetByCodePoints(0, Math.min(LONGEST, length))));
    }
    word.setLength(0);
  }

  private void add(String text) {
    if (found.size() < most) {
      found.add(text);
    }
  }

  /// Also the marks that make か a が: without them the next character would not be its neighbour.
  private static boolean isAccent(int c) {
    return (c >= 0x300 && c <= 0x36F) || c == 0x3099 || c == 0x309A;
  }

  /// Vowel signs of many scripts are marks, not letters.
  private static boolean belongsToWord(int c) {
    int type = Character.getType(c);
    return Character.isLetterOrDigit(c)
        || type == Character.NON_SPACING_MARK
        || type == Character.COMBINING_SPACING_MARK;
  }

  private static boolean isUnspaced(int c) {
    return switch (Character.UnicodeScript.of(c)) {
      case HAN, HIRAGANA, KATAKANA, THAI, LAO, KHMER, MYANMAR -> true;
      case COMMON -> isSharedByKana(c);
      default -> false;
    };
  }

  /// Signs that prolong or repeat the one before them, and 〆: of several scripts, so of none.
  private static boolean isSharedByKana(int c) {
    return c == 'ー' || c == '〆' || (c >= '〱' && c <= '〵');
  }
}
