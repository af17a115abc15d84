package dev.substrat.memory.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.substrat.memory.search.HybridSearch;
import dev.substrat.memory.search.PassageLibrary;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@OnEveryDatabase
@Timeout(300)
@Requirement({"N9", "S4-16"})
final class EmbeddingWorkersTest {
  private final TestDatabase place;
  private final Database database;
  private final FakeEmbeddingModel model = FakeEmbeddingModel.quick();
  private final SemanticIndex meanings = SemanticIndex.of("concepts", () -> model);
  private final PassageVectors vectors;
  private final PassageLibrary library;
  private final AgentId ada;

  EmbeddingWorkersTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.database = place.open();
    this.vectors = new PassageVectors(database, meanings);
    this.library = new PassageLibrary(database, new HybridSearch(database, vectors));
    this.ada = library.agent();
  }

  @AfterEach
  void close() throws IOException {
    meanings.close();
    place.close();
  }

  @Test
  void a_passage_in_other_words_is_found() throws Exception {
    library.store(ada, "Sam takes his espresso at nine");
    library.store(ada, "the bilge is dry");

    try (var _ = vectors.embedder("here")) {
      library.awaitNoneWaiting();
      library.store(ada, "a celebration for Mira");
      library.awaitNoneWaiting();
    }

    assertThat(library.find(ada, "coffee")).containsExactly("Sam takes his espresso at nine");
    assertThat(library.find(ada, "birthday")).containsExactly("a celebration for Mira");
    assertThat(library.find(library.agent(), "coffee")).isEmpty();
  }

  @Test
  void passages_are_found_by_keywords_before_they_are_embedded() throws Exception {
    var release = new CountDownLatch(1);
    library.store(ada, "espresso at nine");
    try (var slow = SemanticIndex.of("concepts", () -> FakeEmbeddingModel.heldUpUntil(release));
        var _ = new PassageVectors(database, slow).embedder("here")) {
      assertThat(library.find(ada, "Espresso")).containsExactly("espresso at nine");
      assertThat(library.find(ada, "coffee")).isEmpty();

      release.countDown();
      library.awaitNoneWaiting();
      assertThat(library.find(ada, "coffee")).containsExactly("espresso at nine");
    }
  }

  @Test
  void a_restarted_daemon_continues_embedding_immediately() throws Exception {
    for (int i = 0; i < 40; i++) {
      library.store(ada, "espresso " + i);
    }
    // It claims a batch and dies.
    assertThat(new EmbeddingBacklog(database, "concepts").claim("here")).hasSize(32);

    try (var _ = vectors.embedder("here")) {
      library.awaitNoneWaiting();
    }

    assertThat(library.find(ada, "coffee")).hasSize(10);
    assertThat(model.read).hasValue(40);
  }

  @Test
  void two_daemons_compute_each_vector_once_and_share_them() throws Exception {
    assumeThat(place.dialect()).isEqualTo(Dialect.POSTGRES);
    Database second = place.open();
    var others = new PassageVectors(second, meanings);
    var elsewhere = new PassageLibrary(second, new HybridSearch(second, others));
    for (int i = 0; i < 200; i++) {
      (i % 2 == 0 ? library : elsewhere).store(ada, "the bilge, log entry " + i);
    }
    assertThat(elsewhere.find(ada, "coffee")).isEmpty();

    try (var _ = vectors.embedder("here");
        var _ = others.embedder("there")) {
      library.awaitNoneWaiting();
      library.store(ada, "espresso");
      library.awaitNoneWaiting();
    }

    assertThat(model.read).hasValue(201);
    assertThat(library.find(ada, "coffee")).containsExactly("espresso");
    assertThat(elsewhere.find(ada, "coffee")).containsExactly("espresso");
  }

  @Test
  void deleted_passages_are_removed_from_the_cache() throws Exception {
    String passage = library.store(ada, "espresso at nine");
    try (var _ = vectors.embedder("here")) {
      library.awaitNoneWaiting();
    }
    assertThat(library.find(ada, "coffee")).hasSize(1);

    library.delete(ada, passage);

    assertThat(library.find(ada, "coffee")).isEmpty();
  }

  @Test
  void a_passage_deleted_during_embedding_gets_no_vector() {
    String passage = library.store(ada, "espresso at nine");
    var backlog = new EmbeddingBacklog(database, "concepts");
    List<EmbeddingBacklog.PendingPassage> claimed = backlog.claim("here");

    library.delete(ada, passage);
    List<Embedding> parts = model.encodeParts("espresso at nine");
    backlog.settle(
        claimed.stream()
            .map(waiting -> new EmbeddingBacklog.EmbeddedPassage(waiting, parts))
            .toList());

    assertThat(vectors()).isZero();
  }

  @Test
  void a_passage_that_the_model_cannot_embed_does_not_block_others() throws Exception {
    library.store(ada, "espresso");
    library.store(ada, "an unreadable page");

    try (var _ = vectors.embedder("here")) {
      library.awaitNoneWaiting();
    }

    assertThat(library.find(ada, "coffee")).containsExactly("espresso");
    assertThat(library.find(ada, "readable")).containsExactly("an unreadable page");
  }

  @Test
  void another_model_embeds_all_passages_again() throws Exception {
    library.store(ada, "espresso");
    try (var _ = vectors.embedder("here")) {
      library.awaitNoneWaiting();
    }
    try (var other = SemanticIndex.of("other concepts", FakeEmbeddingModel::quick)) {
      var anew = new PassageVectors(database, other);
      var renewed = new PassageLibrary(database, new HybridSearch(database, anew));
      assertThat(renewed.find(ada, "coffee")).isEmpty();

      try (var _ = anew.embedder("here")) {
        assertThat(renewed.awaitFound(ada, "coffee")).containsExactly("espresso");
      }
    }
  }

  @Test
  void vectors_beyond_the_memory_cache_are_still_found() throws Exception {
    for (int i = 0; i < 50; i++) {
      library.store(ada, (i == 7 ? "espresso " : "bilge ") + i);
    }
    try (var _ = vectors.embedder("here")) {
      library.awaitNoneWaiting();
    }
    var small = new VectorSearch(database, "concepts", 100);
    Embedding question = model.encode("coffee");

    for (int i = 0; i < 2; i++) {
      var nearest = new NearestPassages(5, 0.5);
      small.offerTo(nearest, ada, question, _ -> true, true);
      assertThat(nearest.found()).hasSize(1);
    }
  }

  /// The daemon `dead` claimed passages and does not come back.
  @Test
  void another_daemon_takes_over_the_claims_of_a_dead_one_when_they_expire() throws Exception {
    library.store(ada, "espresso at nine");
    library.store(ada, "the bilge is dry");
    var backlog = new EmbeddingBacklog(database, "concepts");
    assertThat(backlog.claim("dead")).hasSize(2);
    assertThat(backlog.claim("here")).as("the claims have not expired").isEmpty();

    database.transact(
        tx -> tx.update("update passage_waiting set claimed_until = claimed_until - 60001"));
    assertThat(backlog.claim("here")).hasSize(2);

    try (var _ = vectors.embedder("here")) {
      library.awaitNoneWaiting();
    }
    assertThat(library.find(ada, "coffee")).containsExactly("espresso at nine");
    assertThat(vectors()).isEqualTo(2);
  }

  private long vectors() {
    return database.read(
        tx -> tx.number("select count(*) as n from passage_vector where vector is not null"));
  }
}
