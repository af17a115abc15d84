package dev.substrat.search;

import dev.substrat.store.Tx;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;

/// Which passages share words with a question. A word counts the more, the fewer passages have it.
///
/// How rare a word is, is counted among the asker's own passages: nobody's order depends on what
/// others have stored.
final class WordMatches {
  /// Of a long question the first words must do.
  private static final int MOST_WORDS = 16;

  /// A word in more passages than this says little about any of them; only together with all the
  /// others it does.
  private static final int COMMON = 1_000;

  private final Tx tx;
  private final PassageQuery query;
  private final Map<Long, Double> shared = new LinkedHashMap<>();

  private WordMatches(Tx tx, PassageQuery query) {
    this.tx = tx;
    this.query = query;
  }

  /// The best first, of equals the newest of their words; each has the weight of the question's
  /// words that it shares, of 1 in all.
  static List<Ranking.Place> find(Tx tx, PassageQuery query, int most) {
    return new WordMatches(tx, query).ranked(Words.of(query.text(), MOST_WORDS), most);
  }

  private List<Ranking.Place> ranked(SequencedSet<String> words, int most) {
    double all = 0;
    for (String word : words) {
      all += count(word);
    }
    double sum = all;
    if (words.size() > 1) {
      with(words).forEach(row -> shared.put(row, sum));
    }
    List<Long> best =
        shared.entrySet().stream()
            .sorted(Map.Entry.<Long, Double>comparingByValue().reversed())
            .map(Map.Entry::getKey)
            .limit(most)
            .toList();
    Map<Long, String> ids = WordIndex.ids(tx, best);
    return best.stream()
        .map(row -> new Ranking.Place(ids.getOrDefault(row, ""), worth(row) / sum))
        .toList();
  }

  private double worth(Long row) {
    return shared.getOrDefault(row, 0.0);
  }

  /// Gives each passage with this word what the word is worth, and returns that.
  private double count(String word) {
    List<Long> rows = with(List.of(word));
    double worth = Math.log(1 + (double) COMMON / Math.max(1, rows.size()));
    if (rows.size() < COMMON) {
      rows.forEach(row -> shared.merge(row, worth, Double::sum));
    }
    return worth;
  }

  private List<Long> with(Collection<String> words) {
    return WordIndex.find(tx, query.agent(), query.tags(), words, COMMON);
  }
}
