package dev.substrat.memory.search;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/// Text in the form in which passages are compared: without case, accents and different widths,
/// with one space for any white space.
///
/// A passage is indexed by its n-grams of one, two and three characters. Any text of one or more
/// characters that a passage contains is therefore covered by grams of the passage, in every
/// language, with or without spaces.
final class SearchText {
  private static final int GRAM = 3;

  /// Separates the content and the tags of a passage. No query contains it.
  private static final char SEPARATOR = '\n';

  private SearchText() {}

  static String of(String text) {
    String decomposed = Normalizer.normalize(CaseFolding.of(text), Normalizer.Form.NFD);
    var bare = new StringBuilder(decomposed.length());
    decomposed
        .codePoints()
        .filter(c -> !isAccent(c))
        .map(c -> isSpace(c) ? ' ' : c)
        .filter(c -> c != ' ' || (!bare.isEmpty() && bare.charAt(bare.length() - 1) != ' '))
        .forEach(bare::appendCodePoint);
    return Normalizer.normalize(bare, Normalizer.Form.NFC).stripTrailing();
  }

  /// Whether it is nothing but white space. A text of combining characters alone is not blank,
  /// although nothing of it is left to compare.
  static boolean isBlank(String text) {
    return text.codePoints().allMatch(SearchText::isSpace);
  }

  /// Text by which a passage is found: its content and its tags.
  static String of(String content, List<String> tags) {
    var text = new StringBuilder(of(content));
    tags.forEach(tag -> text.append(SEPARATOR).append(of(tag)));
    return text.toString();
  }

  /// All grams of a passage's text. Grams of three may have a space in them, for phrases.
  static SequencedSet<String> grams(String text) {
    var grams = new LinkedHashSet<String>();
    int[] line = text.codePoints().toArray();
    for (int i = 0; i < line.length; i++) {
      boolean isInWord = true;
      for (int size = 1; size <= GRAM && i + size <= line.length; size++) {
        int last = line[i + size - 1];
        if (last == SEPARATOR) {
          break;
        }
        isInWord &= last != ' ';
        if (isInWord || size == GRAM) {
          grams.add(new String(line, i, size));
        }
      }
    }
    return grams;
  }

  /// As few grams as cover `part`: every passage that contains it has all of them.
  static List<String> cover(String part) {
    int[] points = part.codePoints().toArray();
    if (points.length <= GRAM) {
      return List.of(part);
    }
    var grams = new ArrayList<String>();
    for (int i = 0; i + GRAM < points.length; i += GRAM) {
      grams.add(new String(points, i, GRAM));
    }
    grams.add(new String(points, points.length - GRAM, GRAM));
    return grams;
  }

  private static boolean isAccent(int c) {
    return c >= 0x300 && c <= 0x36F;
  }

  private static boolean isSpace(int c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c);
  }
}
