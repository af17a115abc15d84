package dev.substrat.memory.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.Tx;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How PostgreSQL executes searches among the passages of an agent that has nearly all of them.
///
/// PostgreSQL may plan a prepared statement without its values from the sixth execution on.
@Timeout(300)
@Requirement("N9")
final class PassagePlanTest {
  private static final int PASSAGES = 20_000;
  private static final int EXECUTIONS = 20;

  private final TestDatabase place = TestDatabase.fresh(Dialect.POSTGRES);
  private final Database database = place.open();
  private final PassageLibrary library =
      new PassageLibrary(database, HybridSearch.ofWords(database));
  private final AgentId ada = library.agent();

  @AfterEach
  void close() throws IOException {
    place.close();
  }

  @Test
  void the_gram_index_is_used_however_often_a_search_is_repeated() {
    AgentId ben = library.agent();
    library.store(ada, "the rarest pump");
    library.store(ben, "the rarest pump");
    database.transact(this::storeMany);
    // As an autovacuum leaves it.
    database.transact(tx ->
        tx.list(
            "select gin_clean_pending_list('passage_text_grams') as n", row -> row.number("n")));
    database.transact(tx -> tx.update("analyze passage_text"));

    database.read(tx -> {
      var query = new PassageQuery(ada, "rarest", List.of(), 10);
      for (int i = 0; i < EXECUTIONS; i++) {
        assertThat(PassageIndex.find(tx, query, List.of("rar", "est"), Long.MAX_VALUE, 50))
            .hasSize(1);
      }
      assertThat(plans(tx))
          .isNotEmpty()
          .allSatisfy(
              plan -> assertThat(plan).contains("passage_text_grams").doesNotContain("Backward"));
      return true;
    });
  }

  /// The plans that the next execution of each prepared search has.
  private static List<String> plans(Tx tx) {
    List<String> names =
        tx.list(
            "select name from pg_prepared_statements where statement like '%order by%seq desc%'",
            row -> row.text("name"));
    return names.stream()
        .map(name -> {
          String execute =
              "explain execute \"%s\" ('{1}', 9223372036854775807, 'x', 50)".formatted(name);
          return String.join("\n", tx.list(execute, row -> row.text("query plan")));
        })
        .toList();
  }

  private int storeMany(Tx tx) {
    tx.update(
        """
        insert into memory (id, kind, agent_id, content, tags, created_at, updated_at)
        select 'many-' || n, 'passage', ?, 'tide ' || n, '[]', 1, 1
        from generate_series(1, cast(? as integer)) n
        """,
        ada.value(),
        PASSAGES);
    return tx.update(
        """
        insert into passage_text (memory_id, agent_id, text, grams)
        select 'many-' || n, ?, repeat('tide ' || n, 40),
          (select array_agg((n * gram) % 9973) from generate_series(1, 60) gram)
        from generate_series(1, cast(? as integer)) n
        """,
        ada.value(), PASSAGES);
  }
}
