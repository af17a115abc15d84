package dev.substrat.protocol;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// What a misspelt word was probably meant to be.
///
/// A wrong guess is worse than none, so only what is really similar counts.
public final class Spelling {
  private static final int MOST_GUESSES = 3;

  private Spelling() {}

  /// The known words that begin like this one or differ in very few letters, nearest first.
  public static List<String> near(String word, Collection<String> known) {
    if (word.isBlank()) {
      return List.of();
    }
    return known.stream()
        .filter(candidate -> candidate.startsWith(word) || distance(word, candidate) <= slips(word))
        .sorted(Comparator.comparingInt(candidate -> distance(word, candidate)))
        .limit(MOST_GUESSES)
        .toList();
  }

  /// A question for the beginning of a hint, `did you mean agent? `; empty if nothing is similar.
  public static String question(String word, Collection<String> known) {
    List<String> near = near(word, known);
    return near.isEmpty() ? "" : "did you mean %s? ".formatted(String.join(" or ", near));
  }

  /// Two slips in a word of three letters would make it any other word.
  private static int slips(String word) {
    return word.length() > 3 ? 2 : 1;
  }

  /// How many letters must be put in, taken out or replaced to get from one word to the other.
  private static int distance(String one, String other) {
    var row = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
