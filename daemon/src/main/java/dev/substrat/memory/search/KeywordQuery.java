package dev.substrat.memory.search;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.stream.Collectors;

/// A parsed search query: alternatives separated by `OR`, each with terms that must all occur. A
/// term is a word or a `"quoted phrase"`.
///
/// Every text is a valid query. A quote without a partner and an `OR` without a term on both sides
/// are literal text.
record KeywordQuery(List<QueryAlternative> alternatives) {
  /// Each alternative costs a search.
  private static final int MAX_ALTERNATIVES = 32;

  KeywordQuery {
    alternatives = List.copyOf(alternatives);
  }

  /// A text that must occur, in the form of [SearchText].
  record QueryTerm(String text, boolean isPhrase) {}

  /// Terms that must all occur.
  record QueryAlternative(List<QueryTerm> terms) {
    QueryAlternative {
      terms = List.copyOf(terms);
    }

    static QueryAlternative ofPhrase(String text) {
      return new QueryAlternative(List.of(new QueryTerm(text, true)));
    }

    /// The terms as they were typed, one after the other.
    String whole() {
      return terms.stream().map(QueryTerm::text).collect(Collectors.joining(" "));
    }

    boolean matches(String text) {
      return terms.stream().allMatch(term -> text.contains(term.text()));
    }
  }

  static KeywordQuery parse(String text) {
    List<QueryTerm> terms = terms(text);
    SequencedSet<QueryAlternative> alternatives = new LinkedHashSet<>();
    var current = new ArrayList<QueryTerm>();
    for (int i = 0; i < terms.size(); i++) {
      boolean separates = isOr(terms.get(i)) && !current.isEmpty() && i + 1 < terms.size();
      if (separates && !isOr(terms.get(i + 1))) {
        alternatives.add(new QueryAlternative(current));
        current.clear();
      } else {
        current.add(terms.get(i));
      }
    }
    alternatives.add(new QueryAlternative(current));
    return new KeywordQuery(
        alternatives.stream()
            .map(KeywordQuery::folded)
            .filter(alternative -> !alternative.terms().isEmpty())
            .distinct()
            .limit(MAX_ALTERNATIVES)
            .toList());
  }

  private static boolean isOr(QueryTerm term) {
    return !term.isPhrase() && term.text().equals("OR");
  }

  private static QueryAlternative folded(QueryAlternative typed) {
    return new QueryAlternative(
        typed.terms().stream()
            .map(term -> new QueryTerm(SearchText.of(term.text()), term.isPhrase()))
            .filter(term -> !term.text().isEmpty())
            .toList());
  }

  private static List<QueryTerm> terms(String text) {
    var terms = new ArrayList<QueryTerm>();
    int at = 0;
    while (at < text.length()) {
      int from = at;
      int close = text.charAt(at) == '"' ? text.indexOf('"', at + 1) : -1;
      if (close > 0 && !text.substring(at + 1, close).isBlank()) {
        terms.add(new QueryTerm(text.substring(at + 1, close), true));
        at = close + 1;
      } else {
        while (at < text.length() && !isSpace(text.charAt(at))) {
          at++;
        }
        terms.add(new QueryTerm(text.substring(from, at), false));
      }
      while (at < text.length() && isSpace(text.charAt(at))) {
        at++;
      }
    }
    return terms;
  }

  private static boolean isSpace(char c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c);
  }

  /// Distinct terms in the order of the query.
  List<String> terms() {
    return alternatives.stream()
        .flatMap(alternative -> alternative.terms().stream())
        .map(QueryTerm::text)
        .distinct()
        .toList();
  }

  /// Whether the query contains a phrase, so that similar words do not match.
  boolean hasPhrase() {
    return alternatives.stream()
        .anyMatch(alternative -> alternative.terms().stream().anyMatch(QueryTerm::isPhrase));
  }

  boolean matches(String text) {
    return alternatives.stream().anyMatch(alternative -> alternative.matches(text));
  }
}
