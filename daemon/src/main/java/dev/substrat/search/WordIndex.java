package dev.substrat.search;

import dev.substrat.id.AgentId;
import dev.substrat.json.Fingerprint;
import dev.substrat.json.Json;
import dev.substrat.store.Dialect;
import dev.substrat.store.Tx;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which words stand in which passage, in the full text of the database.
///
/// Every word begins with a key of its owner: so everybody has words of their own, and who has few
/// passages does not wait for those of others. Keys might coincide, so whoever fetches what is
/// behind a word asks for the owner again.
final class WordIndex {
  /// More of a passage's different words are not kept: a tsvector holds a megabyte, not more.
  private static final int MOST_WORDS = 4_000;

  private static final String PUT_ROW = "insert into passage_row (memory_id) values (?)";

  private static final String PUT_SQLITE =
      """
      insert into passage_words (rowid, words)
      select row, ? from passage_row where memory_id = ?
      """;

  private static final String PUT_POSTGRES =
      """
      insert into passage_words (words, memory_id)
      values (array_to_tsvector(string_to_array(?, ' ')), ?)
      """;

  private static final String DELETE_SQLITE =
      """
      delete from passage_words
      where rowid in (select row from passage_row where memory_id = ?)
      """;

  private static final String FIND_SQLITE =
      """
      select rowid as row from passage_words
      where passage_words match ?
      order by rowid desc
      limit ?
      """;

  private static final String FIND_POSTGRES =
      """
      select row from passage_words
      where words @@ cast(? as tsquery)
      order by row desc
      limit ?
      """;

  private WordIndex() {}

  static void put(Tx tx, AgentId owner, Passage passage) {
    String text = passage.content() + " " + String.join(" ", passage.tags());
    SequencedSet<String> words = Words.of(text, MOST_WORDS);
    String all = String.join(" ", terms(owner, passage.tags(), words));
    switch (tx.dialect()) {
      case SQLITE -> {
        tx.update(PUT_ROW, passage.id());
        tx.update(PUT_SQLITE, all, passage.id());
      }
      case POSTGRES -> tx.update(PUT_POSTGRES, all, passage.id());
    }
  }

  static void delete(Tx tx, String passage) {
    switch (tx.dialect()) {
      case SQLITE -> {
        tx.update(DELETE_SQLITE, passage);
        tx.update("delete from passage_row where memory_id = ?", passage);
      }
      case POSTGRES -> tx.update("delete from passage_words where memory_id = ?", passage);
    }
  }

  /// At most `most` passages with all these words and tags, the newest first, by their numbers
  /// here: names would cost more than the search.
  static List<Long> find(
      Tx tx, AgentId owner, List<String> tags, Collection<String> words, int most) {
    List<String> terms = terms(owner, tags, words);
    return tx.list(
        tx.dialect() == Dialect.SQLITE ? FIND_SQLITE : FIND_POSTGRES,
        row -> row.number("row"),
        switch (tx.dialect()) {
          case SQLITE -> quoted(terms, "\"", " AND ");
          case POSTGRES -> quoted(terms, "'", " & ");
        },
        most);
  }

  /// The ids of passages by their numbers.
  static Map<Long, String> ids(Tx tx, Collection<Long> rows) {
    String table =
        switch (tx.dialect()) {
          case SQLITE -> "passage_row";
          case POSTGRES -> "passage_words";
        };
    String named =
        "select row, memory_id from %s where row in (select cast(value as bigint) from %s)"
            .formatted(table, tx.dialect().members());
    var ids = new HashMap<Long, String>();
    tx.list(named, row -> ids.put(row.number("row"), row.text("memory_id")), Json.text(rows));
    return ids;
  }

  /// Words are letters and digits, so nothing in them can end the quotes.
  private static String quoted(List<String> terms, String quote, String and) {
    return terms.stream().map(term -> quote + term + quote).collect(Collectors.joining(and));
  }

  private static List<String> terms(AgentId owner, List<String> tags, Collection<String> words) {
    String key = Fingerprint.of(owner.value()).substring(0, 10);
    return Stream.concat(tags.stream().map(WordIndex::sign).distinct(), words.stream())
        .map(term -> key + term)
        .toList();
  }

  /// A tag may have spaces and quotes; its fingerprint has none.
  private static String sign(String tag) {
    return "#" + Fingerprint.of(Folding.of(tag)).substring(0, 16);
  }
}
