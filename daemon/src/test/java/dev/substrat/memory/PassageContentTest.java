package dev.substrat.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.memory.search.HybridSearch;
import dev.substrat.memory.search.PassageLibrary;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.QueryPlans;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Passages are looked up by their content without reading all passages of the agent.
@OnEveryDatabase
final class PassageContentTest {
  private final TestDatabase place;
  private final Database database;
  private final PassageLibrary library;

  PassageContentTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.database = place.open();
    this.library = new PassageLibrary(database, HybridSearch.ofWords(database));
  }

  @AfterEach
  void close() throws IOException {
    place.close();
  }

  @Test
  void only_passages_with_these_contents_are_counted() {
    var ada = library.agent();
    var ben = library.agent();
    String longText = "🚢 ".repeat(60);
    library.store(ada, "tide", "a");
    library.store(ada, "tide", "a");
    library.store(ada, "tide");
    library.store(ada, longText + "1");
    library.store(ada, longText + "2");
    library.store(ben, "tide");

    Map<Passages.PassageDraft, Integer> counts =
        database.read(
            tx -> Passages.count(tx, ada, List.of("tide", "tide", longText + "2", "missing")));

    assertThat(counts)
        .containsOnly(
            Map.entry(new Passages.PassageDraft("tide", List.of("a")), 2),
            Map.entry(new Passages.PassageDraft("tide", List.of()), 1),
            Map.entry(new Passages.PassageDraft(longText + "2", List.of()), 1));

    // In a small table every index costs the same.
    for (int i = 1; i <= 200; i++) {
      library.store(ada, "x".repeat(i));
    }
    database.transact(tx -> tx.update("analyze memory"));
    assertThat(
            QueryPlans.of(
                database,
                Passages.WITH_CONTENT.formatted(place.dialect().members()),
                "[\"tide\"]",
                ada.value()))
        .contains("memory_content");
  }
}
