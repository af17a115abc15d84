package dev.substrat.protocol;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Suggestions for misspelt words.
///
/// A wrong suggestion is worse than none, so only very similar words count.
public final class SpellingSuggestion {
  private static final int MAX_SUGGESTIONS = 3;
  private static final int SHORT = 4;

  private SpellingSuggestion() {}

  /// The known words that begin with this one or differ in very few letters, nearest first.
  public static List<String> near(String word, Collection<String> known) {
    if (word.isBlank()) {
      return List.of();
    }
    return known.stream()
        .filter(candidate -> candidate.startsWith(word) || isSlip(word, candidate))
        .sorted(Comparator.comparingInt(candidate -> distance(word, candidate)))
        .limit(MAX_SUGGESTIONS)
        .toList();
  }

  /// A question for the beginning of a hint, `did you mean agent? `; empty if nothing is similar.
  public static String suggestion(String word, Collection<String> known) {
    List<String> near = near(word, known);
    return near.isEmpty() ? "" : "did you mean %s? ".formatted(String.join(" or ", near));
  }

  /// The same for the end of a message, ` (did you mean agent?)`.
  public static String suggestionSuffix(String word, Collection<String> known) {
    String question = suggestion(word, known).strip();
    return question.isEmpty() ? "" : " (" + question + ")";
  }

  /// Two typos in a word of three letters would make it any other word.
  private static int slips(String word) {
    return word.length() > 3 ? 2 : 1;
  }

  /// The known word that this one is a misspelling of, where other words are valid, too: a prefix
  /// does not count, and short words are too similar to each other.
  public static Optional<String> findMisspelling(String word, Collection<String> known) {
    if (word.length() <= SHORT || known.contains(word)) {
      return Optional.empty();
    }
    return near(word, known).stream().filter(candidate -> isSlip(word, candidate)).findFirst();
  }

  /// Compares lengths first: the distance needs memory for the product of both lengths, and the
  /// word may be a megabyte of input.
  private static boolean isSlip(String word, String candidate) {
    return Math.abs(word.length() - candidate.length()) <= slips(word)
        && distance(word, candidate) <= slips(word);
  }

  /// Edit distance with insertions, deletions, replacements and transpositions.
  private static int distance(String one, String other) {
    var rows = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        rows[i][j] = i == 0 || j == 0 ? i + j : cheapest(rows, one, other, i, j);
      }
    }
    return rows[one.length()][other.length()];
  }

  private static int cheapest(int[][] rows, String one, String other, int i, int j) {
    int replaced = rows[i - 1][j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
    int fewest = Math.min(replaced, 1 + Math.min(rows[i - 1][j], rows[i][j - 1]));
    boolean isSwapped =
        i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1);
    return isSwapped ? Math.min(fewest, 1 + rows[i - 2][j - 2]) : fewest;
  }
}
