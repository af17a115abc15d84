package dev.substrat.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/// Labelled set for search: passages as agents store them, and queries with the passages that
/// answer them. It makes the quality of a search a number. Passages and queries are text files
/// beside this class.
public record SearchQualitySet(List<LabelledPassage> passages, List<LabelledQuery> questions) {

  /// Something stored, under a name of its own.
  public record LabelledPassage(String id, String text) {}

  /// Kinds of queries.
  public enum QueryKind {
    /// Uses words of the passage, or parts of them.
    WORDS,
    /// One or two characters.
    SHORT,
    /// Paraphrases the passage.
    MEANING,
    /// A sensible query that no passage answers.
    IRRELEVANT,
    /// Random characters without a meaning.
    NONSENSE
  }

  /// A query, and the passages that answer it.
  public record LabelledQuery(QueryKind kind, Set<String> answers, String text) {}

  public static SearchQualitySet read() {
    var passages = new ArrayList<LabelledPassage>();
    for (String line : lines("passages.txt")) {
      String[] parts = line.split(" ", 2);
      passages.add(new LabelledPassage(parts[0], parts[1]));
    }
    var questions = new ArrayList<LabelledQuery>();
    for (String line : lines("questions.txt")) {
      String[] parts = line.split(" ", 3);
      QueryKind kind = QueryKind.valueOf(parts[0].toUpperCase(Locale.ROOT));
      Set<String> answers = parts[1].equals("-") ? Set.of() : Set.of(parts[1].split(","));
      questions.add(new LabelledQuery(kind, answers, parts[2]));
    }
    return new SearchQualitySet(List.copyOf(passages), List.copyOf(questions));
  }

  /// Quality of a search: `recall` is the share of the answers that were found, `precision` the
  /// share of found passages that are answers (1 if none was found), `found` the average number of
  /// passages per query.
  public record SearchQuality(double recall, double precision, double found) {}

  /// Runs all queries of a kind; `search` returns ids of passages.
  public SearchQuality quality(QueryKind kind, Function<LabelledQuery, List<String>> search) {
    int asked = 0;
    int wanted = 0;
    int found = 0;
    int right = 0;
    for (LabelledQuery question : questions) {
      if (question.kind() == kind) {
        List<String> ids = search.apply(question);
        asked++;
        wanted += question.answers().size();
        found += ids.size();
        right += (int) question.answers().stream().filter(ids::contains).count();
      }
    }
    return new SearchQuality(
        wanted == 0 ? 1 : (double) right / wanted,
        found == 0 ? 1 : (double) right / found,
        (double) found / asked);
  }

  private static List<String> lines(String file) {
    try (var stream = SearchQualitySet.class.getResourceAsStream(file)) {
      if (stream == null) {
        throw new IllegalStateException(file + " is missing");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
