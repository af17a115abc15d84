package dev.substrat.memory.search;

import dev.substrat.memory.search.KeywordQuery.QueryAlternative;
import dev.substrat.memory.search.PassageIndex.CandidatePassage;
import dev.substrat.store.Tx;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Finds the passages in which all words of a query occur, and ranks them.
///
/// The score of a passage is between 0 and 1: above 0.9 if it contains the query as it was typed,
/// in whole words; from 0.8 to 0.9 if it contains all words as whole words; at most 0.5 if some are
/// only parts of longer words. In each range, a word at the beginning of a longer one counts more
/// than one inside, and a rarer word counts more. How rare a word is, is counted among the agent's
/// own passages. Of equals, the newest come first.
final class KeywordMatcher {
  /// How many matches of one alternative are ranked: the newest ones, if there are more.
  private static final int RANKED = 200;

  private static final int PAGE = 50;

  /// A long query is looked up by some of its grams; then the whole query is compared with the
  /// text.
  private static final int MAX_GRAMS = 8;

  /// A word in this many passages counts as common.
  private static final int COMMON = 1_000;

  /// Number of words that are weighted by rarity; further words count as common.
  private static final int WEIGHED = 16;

  /// The lowest score of each range, and the width of a range.
  private static final double WHOLE_QUERY = 0.9;

  private static final double WHOLE_WORDS = 0.8;
  private static final double WHOLE_RANGE = 0.1;
  private static final double QUERY_IN_PARTS = 0.35;
  private static final double PARTS = 0.2;
  private static final double PARTS_RANGE = 0.15;

  private static final double AT_WORD_START = 0.75;
  private static final double INSIDE_WORD = 0.5;

  private final Tx tx;
  private final PassageQuery query;
  private final KeywordQuery keywords;
  private final Map<String, CandidatePassage> found = new LinkedHashMap<>();

  private KeywordMatcher(Tx tx, PassageQuery query, KeywordQuery keywords) {
    this.tx = tx;
    this.query = query;
    this.keywords = keywords;
  }

  /// A passage in which the words occur.
  record KeywordMatch(CandidatePassage passage, double score) {}

  /// The best first.
  static List<KeywordMatch> find(Tx tx, PassageQuery query, KeywordQuery keywords) {
    return new KeywordMatcher(tx, query, keywords).ranked();
  }

  private List<KeywordMatch> ranked() {
    keywords.alternatives().forEach(this::collect);
    PassageIndex.notIndexed(tx, query.agent()).stream()
        .filter(passage -> query.hasAllTags(passage.tags()))
        .map(PassageIndex.UnindexedPassage::candidate)
        .filter(candidate -> keywords.matches(candidate.text()))
        .forEach(candidate -> found.put(candidate.id(), candidate));
    Map<String, Double> weights = weights();
    double all = weights.values().stream().mapToDouble(Double::doubleValue).sum();
    return found.values().stream()
        .map(candidate -> new KeywordMatch(candidate, score(candidate.text(), weights, all)))
        .sorted(
            Comparator.comparingDouble(KeywordMatch::score)
                .thenComparingLong(match -> match.passage().seq())
                .reversed())
        .toList();
  }

  private void collect(QueryAlternative alternative) {
    var words = new MatchPageReader(alternative, alternative);
    words.next();
    if (words.isMore && alternative.terms().size() > 1) {
      // With many matches, those that contain the literal query must be among the ranked ones.
      var phrase = new MatchPageReader(alternative, QueryAlternative.ofPhrase(alternative.whole()));
      phrase.readUntilRanked();
      if (isOnly() && phrase.withWholeWords >= query.limit()) {
        return;
      }
    }
    words.readUntilRanked();
  }

  private boolean isOnly() {
    return keywords.alternatives().size() == 1;
  }

  /// Reads the passages that match `wanted`, the newest first, page by page.
  private final class MatchPageReader {
    private final QueryAlternative alternative;
    private final QueryAlternative wanted;
    private final List<String> grams;
    private long before = Long.MAX_VALUE;
    private int matching;
    private int withWholeWords;
    private boolean isMore = true;

    MatchPageReader(QueryAlternative alternative, QueryAlternative wanted) {
      this.alternative = alternative;
      this.wanted = wanted;
      this.grams = KeywordMatcher.grams(wanted);
    }

    /// Ends early if the newest matches have the best possible score: older ones would come after
    /// them.
    void readUntilRanked() {
      int most = Math.max(RANKED, query.limit());
      while (isMore && matching < most && !(isOnly() && withWholeWords >= query.limit())) {
        next();
      }
    }

    void next() {
      List<CandidatePassage> page = PassageIndex.find(tx, query, grams, before, PAGE);
      for (CandidatePassage candidate : page) {
        before = candidate.seq();
        if (wanted.matches(candidate.text())) {
          found.put(candidate.id(), candidate);
          matching++;
          withWholeWords += hasWholeWords(candidate.text(), alternative) ? 1 : 0;
        }
      }
      isMore = page.size() == PAGE;
    }
  }

  private static boolean hasWholeWords(String text, QueryAlternative alternative) {
    return alternative.terms().stream().allMatch(term -> place(text, term.text()) == 1);
  }

  /// Grams of the longest terms first: they are the rarest.
  private static List<String> grams(QueryAlternative alternative) {
    return alternative.terms().stream()
        .map(KeywordQuery.QueryTerm::text)
        .sorted(Comparator.comparingInt(String::length).reversed())
        .flatMap(term -> SearchText.cover(term).stream())
        .distinct()
        .limit(MAX_GRAMS)
        .toList();
  }

  /// Weight of each word. If all passages contain all words completely, weights make no difference.
  private Map<String, Double> weights() {
    boolean isDecided =
        found.values().stream()
            .allMatch(candidate ->
                keywords.alternatives().size() == 1
                    && hasWholeWords(candidate.text(), keywords.alternatives().getFirst()));
    var weights = new LinkedHashMap<String, Double>();
    List<String> terms = keywords.terms();
    for (String term : terms) {
      boolean isWeighed = !isDecided && terms.size() > 1 && weights.size() < WEIGHED;
      weights.put(term, isWeighed ? rarity(term) : Math.log(2));
    }
    return weights;
  }

  private double rarity(String term) {
    long passages = PassageIndex.count(tx, query, grams(QueryAlternative.ofPhrase(term)), COMMON);
    return Math.log(1 + (double) COMMON / Math.max(1, passages));
  }

  private double score(String text, Map<String, Double> weights, double all) {
    double sum = 0;
    for (var weight : weights.entrySet()) {
      sum += weight.getValue() * place(text, weight.getKey());
    }
    double share = sum / all;
    double best = 0;
    for (QueryAlternative alternative : keywords.alternatives()) {
      if (alternative.matches(text)) {
        best = Math.max(best, score(text, alternative, share));
      }
    }
    return best;
  }

  private static double score(String text, QueryAlternative alternative, double share) {
    if (hasWholeWords(text, alternative)) {
      boolean isWhole = place(text, alternative.whole()) == 1;
      return (isWhole ? WHOLE_QUERY : WHOLE_WORDS) + WHOLE_RANGE * share;
    }
    return (text.contains(alternative.whole()) ? QUERY_IN_PARTS : PARTS) + PARTS_RANGE * share;
  }

  /// Score of the best occurrence of a word: 1 as a whole word, 0 if it does not occur.
  private static double place(String text, String term) {
    double best = 0;
    int at = text.indexOf(term);
    while (at >= 0 && best < 1) {
      boolean starts = at == 0 || isBoundary(text.codePointBefore(at), term.codePointAt(0));
      int end = at + term.length();
      boolean ends =
          end == text.length()
              || isBoundary(term.codePointBefore(term.length()), text.codePointAt(end));
      double here = starts && ends ? 1 : starts ? AT_WORD_START : INSIDE_WORD;
      best = Math.max(best, here);
      at = text.indexOf(term, at + 1);
    }
    return best;
  }

  private static boolean isBoundary(int left, int right) {
    return !isOfWord(left) || !isOfWord(right);
  }

  /// Scripts without spaces have no word boundaries: every position counts as one.
  private static boolean isOfWord(int c) {
    return Character.isLetterOrDigit(c)
        && switch (Character.UnicodeScript.of(c)) {
          case HAN, HIRAGANA, KATAKANA, THAI, LAO, KHMER, MYANMAR -> false;
          default -> true;
        };
  }
}
