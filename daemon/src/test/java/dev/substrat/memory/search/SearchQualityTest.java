package dev.substrat.memory.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.memory.embedding.PassageVectors;
import dev.substrat.memory.embedding.SemanticIndex;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.SearchQualitySet;
import dev.substrat.testkit.SearchQualitySet.QueryKind;
import dev.substrat.testkit.SearchQualitySet.SearchQuality;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Precision and recall on the labelled set, with the real model. The figures are in
/// docs/internals/search-quality.md.
@OnEveryDatabase
@Timeout(300)
@Requirement({"N9", "S4-16", "C22"})
final class SearchQualityTest {
  private static final int FIRST = 10;

  private final TestDatabase place;
  private final Database database;
  private final SemanticIndex meanings = SemanticIndex.offline();
  private final PassageVectors vectors;
  private final HybridSearch hybrid;
  private final SearchQualitySet set = SearchQualitySet.read();
  private final Map<String, String> names = new HashMap<>();

  SearchQualityTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.database = place.open();
    this.vectors = new PassageVectors(database, meanings);
    this.hybrid = new HybridSearch(database, vectors);
  }

  @AfterEach
  void close() throws IOException {
    meanings.close();
    place.close();
  }

  @Test
  void the_labelled_set_is_answered_as_well_as_documented() throws Exception {
    var library = new PassageLibrary(database, hybrid);
    AgentId ada = library.agent();
    for (SearchQualitySet.LabelledPassage passage : set.passages()) {
      names.put(library.store(ada, passage.text()), passage.id());
    }
    try (var _ = vectors.embedder("here")) {
      library.awaitNoneWaiting();
    }
    var wordsOnly = HybridSearch.ofWords(database);

    SearchQuality words = quality(QueryKind.WORDS, hybrid, ada);
    assertThat(words.recall()).isEqualTo(1);
    assertThat(words.precision()).isGreaterThanOrEqualTo(0.7);
    SearchQuality wordsAlone = quality(QueryKind.WORDS, wordsOnly, ada);
    assertThat(wordsAlone.recall()).isEqualTo(1);
    assertThat(wordsAlone.precision()).isGreaterThanOrEqualTo(0.95);
    assertThat(quality(QueryKind.SHORT, hybrid, ada))
        .isEqualTo(quality(QueryKind.SHORT, wordsOnly, ada));
    assertThat(quality(QueryKind.SHORT, hybrid, ada).recall()).isEqualTo(1);
    assertThat(quality(QueryKind.SHORT, hybrid, ada).precision()).isEqualTo(1);
    SearchQuality meaning = quality(QueryKind.MEANING, hybrid, ada);
    assertThat(meaning.recall()).isGreaterThanOrEqualTo(0.7);
    assertThat(meaning.precision()).isGreaterThanOrEqualTo(0.33);
    assertThat(meaning.found()).isLessThan(3);
    assertThat(quality(QueryKind.IRRELEVANT, hybrid, ada).found()).isLessThanOrEqualTo(0.1);
    assertThat(quality(QueryKind.NONSENSE, hybrid, ada).found()).as("nonsense").isZero();
  }

  @Test
  void the_relevance_floor_is_above_all_nonsense_and_nearly_all_unrelated_pairs() {
    var encoder = meanings.encoder().orElseThrow();
    var passages = set.passages().stream().map(passage -> encoder.encode(passage.text())).toList();
    var unrelated = new ArrayList<Double>();
    for (SearchQualitySet.LabelledQuery question : set.questions()) {
      boolean hasNoAnswer = question.answers().isEmpty();
      if (hasNoAnswer && encoder.isReadable(question.text())) {
        var embedding = encoder.encode(question.text());
        List<Double> likeness = passages.stream().map(embedding::similarity).toList();
        unrelated.addAll(likeness);
        if (question.kind() == QueryKind.NONSENSE) {
          assertThat(Collections.max(likeness))
              .as(question.text())
              .isLessThan(PassageVectors.MIN_SIMILARITY - 0.01);
        }
      }
    }

    long above = unrelated.stream().filter(it -> it >= PassageVectors.MIN_SIMILARITY).count();
    assertThat(unrelated).hasSizeGreaterThan(4_000);
    assertThat((double) above / unrelated.size()).isLessThan(0.001);
  }

  @Test
  void a_long_passage_is_found_by_the_part_that_answers() throws Exception {
    var library = new PassageLibrary(database, hybrid);
    AgentId ada = library.agent();
    var filler = new StringBuilder();
    set.passages().subList(100, 140).forEach(passage -> filler.append(passage.text()).append(' '));
    library.store(ada, filler + "The lawyer said we may keep the logs for thirty days. " + filler);
    library.store(ada, filler.toString());
    try (var _ = vectors.embedder("here")) {
      library.awaitNoneWaiting();
    }

    assertThat(library.hits(ada, "how long are we legally allowed to retain log files"))
        .extracting(PassageHit::match)
        .containsExactly(PassageHit.MatchReason.MEANING);
  }

  private SearchQuality quality(QueryKind kind, HybridSearch search, AgentId ada) {
    return set.quality(
        kind,
        question ->
            search.find(new PassageQuery(ada, question.text(), List.of(), FIRST)).stream()
                .map(passage -> names.getOrDefault(passage.id(), "unknown"))
                .toList());
  }
}
