package dev.substrat.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.id.AgentId;
import dev.substrat.meaning.Meanings;
import dev.substrat.meaning.Vectors;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.QualitySet;
import dev.substrat.testkit.QualitySet.Kind;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// With the real model: how good it is, as numbers.
@OnEveryDatabase
@Timeout(300)
@Requirement({"N9", "S4-16"})
final class QualityTest {
  private static final int FIRST = 5;

  private final TestDatabase place;
  private final Database database;
  private final Meanings meanings = Meanings.offline();
  private final Vectors vectors;
  private final HybridSearch hybrid;
  private final Map<String, String> names = new HashMap<>();

  QualityTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.database = place.open();
    this.vectors = new Vectors(database, meanings);
    this.hybrid = new HybridSearch(database, vectors);
  }

  @AfterEach
  void close() throws IOException {
    meanings.close();
    place.close();
  }

  @Test
  void nine_of_ten_answers_are_among_the_first_five() throws Exception {
    QualitySet set = QualitySet.read();
    var library = new Library(database, hybrid);
    AgentId ada = library.agent();
    for (QualitySet.Passage passage : set.passages()) {
      names.put(library.store(ada, passage.text()), passage.id());
    }
    try (var _ = vectors.embedder("here")) {
      library.awaitNoneWaiting();
    }
    var wordsOnly = HybridSearch.ofWords(database);

    double byWords = recall(set, Kind.WORDS, hybrid, ada);
    double byMeaning = recall(set, Kind.MEANING, hybrid, ada);

    assertThat(set.passages()).hasSizeGreaterThanOrEqualTo(200);
    assertThat(set.questions()).hasSizeGreaterThanOrEqualTo(60);
    assertThat(byWords).isGreaterThanOrEqualTo(0.95);
    assertThat((byWords + byMeaning) / 2).isGreaterThanOrEqualTo(0.9);
    assertThat(byMeaning).isGreaterThan(recall(set, Kind.MEANING, wordsOnly, ada) + 0.5);
    assertThat(recall(set, Kind.WORDS, wordsOnly, ada)).isGreaterThanOrEqualTo(0.95);
  }

  private double recall(QualitySet set, Kind kind, HybridSearch search, AgentId ada) {
    return set.recall(
        kind,
        question ->
            search.find(new PassageQuery(ada, question.text(), List.of(), FIRST)).stream()
                .map(passage -> names.getOrDefault(passage.id(), "unknown"))
                .toList());
  }
}
